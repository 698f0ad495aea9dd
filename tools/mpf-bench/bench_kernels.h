// Specialised kernels on the GPU: floor, prediction, time, fraction, after a check of the result.
#pragma once

#include <string>
#include <vector>

namespace mpf::bench {

struct KernelBenchOptions {
  std::vector<std::string> shapes; ///< names of canonical shapes; empty: all
  std::vector<std::string> types = {"f32", "f64"};
  std::vector<std::string> forms = {"linear"}; ///< "linear", "log"
  unsigned repeats = 20;
  unsigned checkedEntries = 200; ///< result entries recomputed on the host
  std::string dumpFolder;        ///< when set: the plan and source of every kernel
};

/// Prints one line per (shape, type, form) and returns how many results were wrong.
/// Throws Error(Device) without a GPU.
int benchKernels(const KernelBenchOptions &options);

} // namespace mpf::bench
