// CHAINS: consecutive operations, each of which reads the message of the one before. Nothing else
// reads that message, so one kernel may keep it on chip. This file has the bounds and rules of
// every form of a chain: in a plan (codegen/plan/program/chain_rules.h), in a bundle
// (codegen/bundle/verify_chains.h) and in a form of kernels (codegen/kernel/form/chain_form.h).
// Each form adds the rules of its data.
#pragma once

#include "dsl/support/semiring.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace mpf {

/// The most operations of one chain, and the most tables besides its messages: the tables are
/// arguments of one kernel.
inline constexpr size_t kMaxChainSteps = 24;
inline constexpr size_t kMaxChainFactors = 48;
inline constexpr size_t kMaxChainOperands = kMaxChainFactors + 1; ///< with the message

/// The facts about one operation of a chain that the rules depend on.
struct ChainLink {
  Semiring semiring;
  uint32_t loop = 0; ///< 0: it runs once
  bool accumulates = false;
  size_t messageUses = 1;   ///< number of operands that are the message
  size_t resultReaders = 1; ///< number of readers of the result in the whole program
};

/// Returns an empty text if an operation can be a step; otherwise the reason, as the end of
/// "operation x ..".
std::string_view chainStepFault(const ChainLink &step);

/// Returns an empty text if `next` can follow `step`; otherwise the reason, as the end of
/// "operation x ..", where x is `next`.
std::string_view chainLinkFault(const ChainLink &step, const ChainLink &next);

/// Return an empty text, or the fault of the number of steps, or of tables besides the messages.
std::string chainStepsFault(size_t steps, size_t least);
std::string chainFactorsFault(size_t factors);

} // namespace mpf
