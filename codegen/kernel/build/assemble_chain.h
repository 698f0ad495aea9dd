// Expands a chain candidate (three numbers) into a complete chain plan.
#pragma once

#include "codegen/kernel/build/chain_options.h"
#include "codegen/kernel/plan/chain_plan.h"

#include <cstdint>
#include <optional>

namespace mpf {

struct ChainCandidate {
  uint32_t tileElems = 64; ///< largest allowed tile of a thread, in entries
  uint32_t lineBytes =
      64;                ///< least contiguous bytes of the message's reads and the result's writes
  uint32_t threads = 64; ///< least threads of a block, where outer digits allow that many
};

/// Returns the plan with unpadded images and the launch shape that they need. Returns none when a
/// step needs a larger tile than the candidate allows, or when a page does not fit the target.
std::optional<ChainPlan> assembleChain(const ChainForm &form, const ChainCandidate &candidate,
                                       const ChainOptions &options);

/// Sets the shared bytes, estimated registers and blocks per multiprocessor of `plan.launch`. Call
/// it again whenever the images of the plan have changed.
void setChainLaunch(ChainPlan &plan, const Target &target);

/// True when threads, shared bytes, grid and registers of the launch are within the target's
/// limits.
bool fitsTarget(const ChainPlan &plan, const Target &target);

} // namespace mpf
