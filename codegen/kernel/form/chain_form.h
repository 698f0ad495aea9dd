// CHAIN FORM: a run of operations in which one big table, the *message*, flows through small
// *factors*, in mixed-radix form: step after step, factors are multiplied in and digits leave.
//
//   result = reduce over all reduced digits of message * product of all factors
//
// with the reductions done one step at a time, so that a step's work is the message times the
// digits of that step and not the whole sum. Factors may *introduce* digits that the message does
// not have; a digit is introduced once and reduced once at most.
#pragma once

#include "codegen/kernel/form/digit_form.h"
#include "dsl/support/chain_link.h"

#include <optional>
#include <span>
#include <vector>

namespace mpf {

struct ChainStep {
  uint32_t firstFactor = 0; ///< its factors are form.factors[firstFactor ..)
  uint32_t factorCount = 0;
  std::vector<DigitId> introduced; ///< in the scope of its factors and not yet in the message
  std::vector<DigitId> reduced;    ///< leave the message here, after the factors are multiplied in
};

/// Digits in the result come first (Digit::reduced is false), then those that some step reduces.
/// No digit has extent 1.
struct ChainForm {
  Semiring semiring;
  std::vector<Digit> digits;
  DigitAccess message;
  std::vector<DigitAccess> factors; ///< in step order
  std::vector<ChainStep> steps;
  DigitAccess result;
};

/// Builds the form of a chain of operations (at least one). Each operation must read the result of
/// the one before it (the first one reads `message`); its other operands must not be results of the
/// chain. All have one semiring, and no step introduces a digit and reduces it. In a sliced program
/// this is the form within one slice. Digits that continue each other in every table are merged.
/// Throws an internal error when the form is unsound (findFault).
ChainForm buildChainForm(const TableProgram &program, TableId message,
                         std::span<const OpId> operations);

/// The same for tables as they are stored: a log-sum chain becomes a sum-product chain, whose
/// tables are in log form. Returns none instead of throwing when the form is unsound.
std::optional<ChainForm> findChainForm(const TableProgram &program, TableId message,
                                       std::span<const OpId> operations);

/// The chain as one operation, with the message and the factors as operands. It may have more than
/// kMaxOperands operands: it serves checks and bounds of exponents, and no kernel is built from it.
DigitForm wholeOperation(const ChainForm &form);

/// Returns, by digit, whether it is in the message before step `step`; with steps.size(), whether
/// it is in the result.
std::vector<bool> liveDigits(const ChainForm &form, size_t step);

/// Entries of the message before step `step`, saturating.
uint64_t messageElems(const ChainForm &form, size_t step);

/// Returns the fault of a form that may come from a file, in one sentence; an empty string if it is
/// sound.
std::string findFault(const ChainForm &form);

} // namespace mpf
