// THE KERNEL SUITE: the planner's kernels that every check of emitted text runs over: the SIMT
// checker (small extents: it executes every access) and the resource report (full extents: it only
// compiles).
#pragma once

#include "codegen/kernel/build_kernel.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpf::test {

/// A bucket in letters, as bucket() of tests/unit/codegen/kernel/bucket_builder.h takes it.
struct SuiteShape {
  std::string name;
  std::string order;
  std::vector<uint32_t> extents;
  std::vector<std::string> operands;
  std::string kept;
};

/// Canonical, permuted, batched and odd shapes with extents that run on the CPU in a moment.
std::vector<SuiteShape> smallShapes();
/// The canonical buckets with the extents that tools/mpf-bench measures.
std::vector<SuiteShape> fullShapes();

struct SuiteKernel {
  std::string label; ///< "triangle f64 log tile": for messages
  KernelPlan plan;
};

/// Options of the planner's kernels for a shape: in `types`, for the sum in linear and log form
/// (whole types: linear only), and for the maximum if asked for. `families`: one kernel of each
/// family, else the planner's choice. Kernels have no repetitions, and are ordered by the plan's
/// name.
struct SuiteOptions {
  Target target;
  bool families = false;
  bool maxima = false;
  bool logMaxima = false;
  std::vector<ElementType> types = {ElementType::F32, ElementType::F64};
  std::optional<uint32_t> stages; ///< only kernels with this number of pages in flight
};
std::vector<SuiteKernel> kernelsOf(const SuiteShape &shape, const SuiteOptions &options);

/// The paper's scheme on its figures' buckets: cache tags of one and two digits.
std::vector<SuiteKernel> tagKernels(const Target &target);

/// `count` random buckets, every arithmetic and family by the same dice. Wide ones have up to 8
/// operands and 2^36 addresses.
std::vector<SuiteKernel> randomKernels(uint64_t seed, size_t count, const Target &target);

} // namespace mpf::test
