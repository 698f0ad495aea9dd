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

#include <optional>
#include <span>
#include <vector>

namespace mpf {

struct ChainStep {
  uint32_t firstFactor = 0; ///< its factors are form.factors[firstFactor ..)
  uint32_t factorCount = 0;
  std::vector<DigitId> introduced; ///< in the scope of its factors and not yet in the message
  std::vector<DigitId> reduced;    ///< leave the message here, after the factors came in
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

/// The chain of `operations`: each takes the result of the one before (the first one `message`) and
/// other tables that are none of theirs; one semiring; nothing is introduced and reduced in one
/// step. Of a sliced program: the form within one slice. Equal neighbours are merged to one digit.
ChainForm buildChainForm(const TableProgram &program, TableId message,
                         std::span<const OpId> operations);

/// The same for tables as they are stored: log-sums run as sums of tables in log form. None where
/// they are beyond what kernels can count.
std::optional<ChainForm> findChainForm(const TableProgram &program, TableId message,
                                       std::span<const OpId> operations);

/// The chain as one operation: message and factors are its operands. More operands than
/// kMaxOperands are possible: for checks and for exponents' bounds, not for kernels.
DigitForm wholeOperation(const ChainForm &form);

/// Whether each digit is in the message before step `step`; step = steps.size(): in the result.
std::vector<bool> liveDigits(const ChainForm &form, size_t step);

/// Entries of the message before step `step`, saturating.
uint64_t messageElems(const ChainForm &form, size_t step);

/// What is wrong with a form that may come from a file, in one sentence; empty when it is sound.
std::string findFault(const ChainForm &form);

} // namespace mpf
