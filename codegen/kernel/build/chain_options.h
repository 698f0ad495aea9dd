// What a chain is built for, and overrides that narrow the choice down for measurements.
#pragma once

#include "codegen/kernel/build/kernel_options.h"

#include <cstdint>
#include <optional>

namespace mpf {

struct ChainOptions {
  Target target;
  ElementType type = ElementType::F64;
  ValueForm valueForm = ValueForm::Linear;
  // Overrides for measurements: only candidates with these.
  std::optional<uint32_t> tileElems; ///< most entries of a thread's tile
  std::optional<uint32_t> lineBytes; ///< least contiguous bytes of reads and writes
  std::optional<uint32_t> threads;   ///< wished threads of a block
  std::optional<uint32_t> pagesPerBlock;
};

/// What kernels and chains have in common; no overrides.
ChainOptions chainOptionsFor(const KernelOptions &kernel);

} // namespace mpf
