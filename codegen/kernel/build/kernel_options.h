// What a kernel is built for, and overrides that narrow the choice down for measurements.
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/kernel_header.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mpf {

struct KernelOptions {
  Target target;
  ElementType type = ElementType::F64;
  ValueForm valueForm = ValueForm::Linear;
  std::optional<LogSum> logSum; ///< where logarithms are summed; default: the cheapest way
  bool mergeDigits = true;
  std::optional<std::string> family; ///< consider only this one, by its name
  /// Force the ICS'08 scheme with a cache tag of this many least significant digits: one output
  /// per thread and page, unpadded segments in operand order (ICS'08 sections 5 and 6).
  std::optional<uint32_t> tagDigits;
  std::optional<uint64_t> pagesPerBlock;   ///< with tagDigits; default: all pages in one block
  std::optional<uint32_t> blockThreads;    ///< keep only candidates of this size
  std::optional<uint64_t> sumChunk;        ///< keep only candidates with this many terms per page
  std::optional<uint32_t> registerOutputs; ///< keep only candidates with so many per thread
  std::optional<uint32_t> stages;          ///< keep only candidates with so many pages in flight
};

/// The form that values of this semiring have: logarithms where they are summed as such, plain
/// values where they are added, else what is asked for.
ValueForm valueFormOf(Semiring semiring, ValueForm asked);

} // namespace mpf
