// The target and types that a kernel is built for, and overrides that restrict the choice for
// measurements.
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/kernel_header.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace mpf {

struct KernelOptions {
  Target target;
  ElementType type = ElementType::F64;
  ValueForm valueForm = ValueForm::Linear;
  std::optional<LogSum> logSum; ///< how logarithms are summed; default: the cheapest way
  bool mergeDigits = true;      ///< merge variables into digits where tables allow (digit_form.h)
  /// Runs of the launch in which a better kernel must save what looking for it takes
  /// (planning_budget.h).
  double expectedRuns = std::numeric_limits<double>::infinity();
  std::optional<std::string> family; ///< consider only the family of this name
  /// Force the ICS'08 scheme with a cache tag of this many least significant digits: one output
  /// per thread and page, unpadded segments in operand order (ICS'08 sections 5 and 6).
  std::optional<uint32_t> tagDigits;
  std::optional<uint64_t> pagesPerBlock;   ///< with tagDigits; default: all pages in one block
  std::optional<uint32_t> blockThreads;    ///< keep only candidates of this size
  std::optional<uint64_t> sumChunk;        ///< keep only candidates with this many terms per page
  std::optional<uint32_t> registerOutputs; ///< keep only candidates with this many per thread
  std::optional<uint32_t> stages;          ///< keep only candidates with this many stages

  friend bool operator==(const KernelOptions &, const KernelOptions &) = default;
};

/// The form in which a kernel computes values of `semiring`: Log when it reduces by log-sum, Linear
/// when it combines by addition, else `asked`.
ValueForm valueFormOf(Semiring semiring, ValueForm asked);

} // namespace mpf
