#include "dsl/support/chain_link.h"

#include <fmt/core.h>

namespace mpf {

std::string_view chainStepFault(const ChainLink &step) {
  if (step.accumulates)
    return "accumulates over a loop";
  if (step.messageUses != 1)
    return "does not take the message exactly once";
  return {};
}

std::string_view chainLinkFault(const ChainLink &step, const ChainLink &next) {
  if (step.resultReaders != 1 || next.messageUses != 1)
    return "is not the only reader of the message";
  if (step.semiring != next.semiring)
    return "is in another semiring than the one before";
  if (step.loop != next.loop)
    return "is in another loop than the one before";
  return {};
}

std::string chainStepsFault(size_t steps, size_t least) {
  if (steps >= least && steps <= kMaxChainSteps)
    return {};
  return fmt::format("{} operations, a chain has {} to {}", steps, least, kMaxChainSteps);
}

std::string chainFactorsFault(size_t factors) {
  if (factors <= kMaxChainFactors)
    return {};
  return fmt::format("{} tables besides the messages, at most {} are possible", factors,
                     kMaxChainFactors);
}

} // namespace mpf
