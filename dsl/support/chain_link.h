// WHAT A CHAIN IS: consecutive operations in which each reads the message that the one before
// wrote, and nothing else reads it, so that one kernel may keep the messages on chip. Here are the
// bounds and the rules that hold wherever a chain is written down: in a plan
// (codegen/plan/program/chain_rules.h), in a bundle (codegen/bundle/verify_chains.h) and in a form
// of kernels (codegen/kernel/form/chain_form.h). Each of these adds the rules of its own data.
#pragma once

#include "dsl/support/semiring.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace mpf {

/// The most operations of one chain, and of tables besides its messages: those are arguments of one
/// kernel.
inline constexpr size_t kMaxChainSteps = 24;
inline constexpr size_t kMaxChainFactors = 48;
inline constexpr size_t kMaxChainOperands = kMaxChainFactors + 1; ///< with the message

/// What the rules ask about one operation of a chain.
struct ChainLink {
  Semiring semiring;
  uint32_t loop = 0; ///< 0: it runs once
  bool accumulates = false;
  size_t messageUses = 1;   ///< how often it reads the message
  size_t resultReaders = 1; ///< in the whole program
};

/// Empty when an operation can be a step; else the reason, as the end of "operation x ..".
std::string_view chainStepFault(const ChainLink &step);

/// Empty when `next` can follow `step`; else the reason, as the end of "operation x ..", said of
/// `next`.
std::string_view chainLinkFault(const ChainLink &step, const ChainLink &next);

/// Empty, or what is wrong with the number of steps, or of tables besides the messages.
std::string chainStepsFault(size_t steps, size_t least);
std::string chainFactorsFault(size_t factors);

} // namespace mpf
