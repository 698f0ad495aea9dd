// The options of `mpf-bench buckets`.
#pragma once

#include "codegen/kernel/build/chain_options.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpf::bench {

/// The means to find the times of buckets.
enum class BucketMeans {
  None,     ///< predictions alone
  Compiler, ///< predictions, and kernels are compiled for the target
  Cpu,      ///< runs on this machine's CPU
  Gpu,      ///< runs on this machine's GPU
};

struct BucketBenchOptions {
  std::vector<std::string> sets = {"canonical"}; ///< choose_shapes.h
  std::vector<std::string> names;                ///< only these buckets; empty: all
  BucketMeans device = BucketMeans::None;
  std::string target = "sm_90"; ///< without a device: the target of the predictions
  std::vector<std::string> types = {"f32", "f64"};
  std::vector<std::string> forms = {"linear"};
  std::vector<std::string> semirings = {"sum-product"};
  std::string family = "auto";
  unsigned autotune = 0;          ///< --device gpu: number of candidates measured for each bucket
  std::optional<uint32_t> stages; ///< only kernels with this number of pages in flight
  std::optional<uint64_t> splits; ///< splits of every sum (plan_buckets.h); not with --device cpu
  ChainOptions chain; ///< overrides of chain plans; target, type and form are set for each bucket
  std::string layouts = "free";  ///< free, global (random sets only; random_shapes.h)
  std::optional<uint32_t> limit; ///< buckets of each set; default: 700 ics08, 5000 gems, all others
  uint64_t seed = 1;
  std::optional<double> minOperations, maxOperations; ///< default: 1e3 (fixed sets 0) and 1e10
  double maxElems = 0x1p29;                           ///< entries of a random bucket's tables
  unsigned repeats = 20;
  double bucketSeconds = 2;
  double totalSeconds = 540;
  unsigned checkedEntries = 100;
  std::string wait = "begin"; ///< --timing train and warm: begin, stores, end (kernel_interface.h)
  std::string timing = "alone"; ///< --device gpu: alone, train, warm (gpu_timing.h)
  bool compiled = false;
  bool cublas = false;  ///< --device gpu: cuBLAS on the same matrix products
  unsigned threads = 0; ///< planning, compiling, CPU executor; 0: all (CPU executor: 1)
  bool summaryOnly = false;
  std::string jsonFile, htmlFile, againstFile, exportFile, dumpFolder;
  std::string command; ///< for the reports
};

} // namespace mpf::bench
