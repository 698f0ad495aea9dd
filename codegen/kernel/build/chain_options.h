// The target and types that a chain is built for, and overrides that restrict the choice for
// measurements.
#pragma once

#include "codegen/kernel/build/kernel_options.h"

#include <cstdint>
#include <optional>

namespace mpf {

struct ChainOptions {
  Target target;
  ElementType type = ElementType::F64;
  ValueForm valueForm = ValueForm::Linear;
  // Overrides for measurements. One that is set keeps only candidates with this value
  // (ChainCandidate in assemble_chain.h).
  std::optional<uint32_t> tileElems;     ///< ChainCandidate::tileElems
  std::optional<uint32_t> lineBytes;     ///< ChainCandidate::lineBytes
  std::optional<uint32_t> threads;       ///< ChainCandidate::threads
  std::optional<uint32_t> pagesPerBlock; ///< at most; the largest divisor of the number of pages
};

/// The target, element type and value form of `kernel`, without overrides.
ChainOptions chainOptionsFor(const KernelOptions &kernel);

} // namespace mpf
