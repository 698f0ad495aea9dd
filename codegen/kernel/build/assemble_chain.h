// From the few numbers that a chain candidate consists of to a complete plan.
#pragma once

#include "codegen/kernel/build/chain_options.h"
#include "codegen/kernel/plan/chain_plan.h"

#include <cstdint>
#include <optional>

namespace mpf {

struct ChainCandidate {
  uint32_t tileElems = 64; ///< most entries of a thread's tile
  uint32_t lineBytes =
      64;                ///< least contiguous bytes of the message's reads and the result's writes
  uint32_t threads = 64; ///< least threads of a block, where outer digits allow
};

/// Unpadded images, launch shape for them. None when a step does not fit the tile or a page not
/// the target.
std::optional<ChainPlan> assembleChain(const ChainForm &form, const ChainCandidate &candidate,
                                       const ChainOptions &options);

/// Shared bytes, registers, blocks per multiprocessor; again after the images have changed.
void setChainLaunch(ChainPlan &plan, const Target &target);

/// True when the launch fits the target's limits.
bool fitsTarget(const ChainPlan &plan, const Target &target);

} // namespace mpf
