#include "codegen/kernel/form/chain_form.h"

#include "codegen/kernel/form/build_digit_form.h"
#include "codegen/plan/program/storage_order.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"
#include "dsl/support/merge_digits.h"

#include <algorithm>
#include <map>

namespace mpf {

namespace {

constexpr size_t kAlways = SIZE_MAX;

/// The steps that introduce and reduce a digit. Digits with equal spans may merge.
struct Span {
  size_t introduced = kAlways, reduced = kAlways;
  friend bool operator==(const Span &, const Span &) = default;
};

std::vector<Span> spansOf(const ChainForm &form) {
  std::vector<Span> spans(form.digits.size());
  for (size_t s = 0; s < form.steps.size(); ++s) {
    for (const DigitId digit : form.steps[s].introduced)
      spans[digit.index()].introduced = s;
    for (const DigitId digit : form.steps[s].reduced)
      spans[digit.index()].reduced = s;
  }
  return spans;
}

std::vector<DigitAccess *> allAccesses(ChainForm &form) {
  std::vector<DigitAccess *> accesses = {&form.message, &form.result};
  for (DigitAccess &factor : form.factors)
    accesses.push_back(&factor);
  return accesses;
}

/// Removes digit `gone` from a list; the numbers of later digits decrease by one.
void renumber(std::vector<DigitId> &list, size_t gone) {
  std::erase_if(list, [gone](DigitId digit) { return digit.index() == gone; });
  for (DigitId &digit : list)
    if (digit.index() > gone)
      digit = DigitId(digit.index() - 1);
}

/// Merges digit b into digit a, as its less significant end.
void mergeInto(ChainForm &form, size_t a, size_t b) {
  MPF_CHECK(a != b, "digit {} becomes the end of itself", a);
  fuseDigits(form.digits, allAccesses(form), a, b, true);
  for (ChainStep &step : form.steps) {
    renumber(step.introduced, b);
    renumber(step.reduced, b);
  }
}

/// Merges digits, one pair at a time: there are few digits, and a merged one may continue another.
void mergeDigits(ChainForm &form) {
  const auto mergeOne = [&form] {
    const std::vector<Span> spans = spansOf(form);
    const auto accesses = allAccesses(form);
    for (size_t a = 0; a < form.digits.size(); ++a)
      for (size_t b = 0; b < form.digits.size(); ++b)
        if (a != b && spans[a] == spans[b] && continuesInAll(form.digits, accesses, a, b)) {
          mergeInto(form, a, b);
          return true;
        }
    return false;
  };
  while (mergeOne()) {
  }
}

/// Builds the form like buildChainForm, but does not check it.
ChainForm formOf(const TableProgram &program, TableId message, std::span<const OpId> operations) {
  ChainForm form;
  form.semiring = program.operation(operations.front()).semiring;
  std::map<VarId, DigitId> digitOf;
  const auto addDigit = [&](VarId variable, bool reduced) {
    const ProgramVariable &v = program.variables[variable.index()];
    if (v.extent == 1 || v.sliced)
      return;
    digitOf[variable] = DigitId(form.digits.size());
    form.digits.push_back({v.extent, reduced, {variable}});
  };
  const TableId result = program.operation(operations.back()).result;
  for (const VarId variable : storageOrder(program, result))
    addDigit(variable, false);
  for (const OpId op : operations)
    for (const VarId variable : program.operation(op).reduced)
      addDigit(variable, true);

  form.message = digitAccess(program, message, form.digits);
  form.result = digitAccess(program, result, form.digits);
  std::vector<bool> known(form.digits.size());
  for (size_t d = 0; d < known.size(); ++d)
    known[d] = form.message.stridesElems[d] != 0;
  TableId flowing = message;
  for (const OpId op : operations) {
    const Operation &operation = program.operation(op);
    ChainStep step;
    step.firstFactor = static_cast<uint32_t>(form.factors.size());
    MPF_CHECK(std::ranges::find(operation.operands, flowing) != operation.operands.end(),
              "operation {} of a chain does not read table {}", op, flowing);
    for (const TableId table : operation.operands) {
      if (table == flowing)
        continue;
      form.factors.push_back(digitAccess(program, table, form.digits));
      for (size_t d = 0; d < known.size(); ++d)
        if (form.factors.back().stridesElems[d] != 0 && !known[d]) {
          known[d] = true;
          step.introduced.push_back(DigitId(d));
        }
    }
    step.factorCount = static_cast<uint32_t>(form.factors.size()) - step.firstFactor;
    for (const VarId variable : operation.reduced)
      if (const auto digit = digitOf.find(variable); digit != digitOf.end())
        step.reduced.push_back(digit->second);
    form.steps.push_back(std::move(step));
    flowing = operation.result;
  }
  mergeDigits(form);
  return form;
}

} // namespace

ChainForm buildChainForm(const TableProgram &program, TableId message,
                         std::span<const OpId> operations) {
  MPF_CHECK(!operations.empty(), "a chain of no operations for message {}", message);
  ChainForm form = formOf(program, message, operations);
  const std::string fault = findFault(form);
  MPF_CHECK(fault.empty(), "chain from table {}: {}", message, fault);
  return form;
}

std::optional<ChainForm> findChainForm(const TableProgram &program, TableId message,
                                       std::span<const OpId> operations) {
  ChainForm form = formOf(program, message, operations);
  form.semiring = semiringOfNumbers(form.semiring);
  return findFault(form).empty() ? std::optional(std::move(form)) : std::nullopt;
}

DigitForm wholeOperation(const ChainForm &form) {
  DigitForm whole;
  whole.semiring = form.semiring;
  whole.digits = form.digits;
  whole.operands = {form.message};
  whole.result = form.result;
  whole.operands.insert(whole.operands.end(), form.factors.begin(), form.factors.end());
  return whole;
}

std::vector<bool> liveDigits(const ChainForm &form, size_t step) {
  MPF_CHECK(step <= form.steps.size(), "the message before step {} of {}", step, form.steps.size());
  std::vector<bool> live(form.digits.size());
  for (size_t d = 0; d < live.size(); ++d)
    live[d] = form.message.stridesElems[d] != 0;
  for (size_t s = 0; s < step; ++s) {
    for (const DigitId digit : form.steps[s].introduced)
      live[digit.index()] = true;
    for (const DigitId digit : form.steps[s].reduced)
      live[digit.index()] = false;
  }
  return live;
}

uint64_t messageElems(const ChainForm &form, size_t step) {
  const std::vector<bool> live = liveDigits(form, step);
  uint64_t elems = 1;
  for (size_t d = 0; d < live.size(); ++d)
    elems = live[d] ? saturatingMul(elems, form.digits[d].extent) : elems;
  return elems;
}

namespace {

/// Returns the fault of one step, and updates the digits: `live` are in the message after the step,
/// `everLive` in that of this step or an earlier one.
std::string findStepFault(const ChainForm &form, size_t number, std::vector<bool> &live,
                          std::vector<bool> &everLive) {
  const ChainStep &step = form.steps[number];
  if (step.firstFactor > form.factors.size() ||
      step.factorCount > form.factors.size() - step.firstFactor)
    return fmt::format("step {} takes factors {} to {} of {}", number, step.firstFactor,
                       uint64_t{step.firstFactor} + step.factorCount, form.factors.size());
  const auto inFactors = [&](DigitId digit) {
    for (uint32_t f = step.firstFactor; f < step.firstFactor + step.factorCount; ++f)
      if (form.factors[f].stridesElems[digit.index()] != 0)
        return true;
    return false;
  };
  for (const DigitId digit : step.introduced) {
    if (digit.index() >= live.size() || everLive[digit.index()] || !inFactors(digit))
      return fmt::format("step {} introduces digit {}, which is in no factor of it or was there "
                         "before",
                         number, digit.value);
    live[digit.index()] = everLive[digit.index()] = true;
  }
  for (size_t d = 0; d < live.size(); ++d)
    if (!live[d] && inFactors(DigitId(d)))
      return fmt::format("a factor of step {} has digit {}, which the message has not", number, d);
  for (const DigitId digit : step.reduced) {
    if (digit.index() >= live.size() || !live[digit.index()])
      return fmt::format("step {} reduces digit {}, which is not there", number, digit.value);
    if (std::find(step.introduced.begin(), step.introduced.end(), digit) != step.introduced.end())
      return fmt::format("step {} introduces digit {} and reduces it", number, digit.value);
    live[digit.index()] = false;
  }
  return {};
}

} // namespace

std::string findFault(const ChainForm &form) {
  if (std::string fault = chainStepsFault(form.steps.size(), 1); !fault.empty())
    return fault;
  if (std::string fault = chainFactorsFault(form.factors.size()); !fault.empty())
    return fault;
  if (std::string fault = findFault(wholeOperation(form), kMaxChainOperands); !fault.empty())
    return fault;
  if (std::any_of(form.digits.begin(), form.digits.end(),
                  [](const Digit &digit) { return digit.extent < 2; }))
    return "a digit of extent 1";
  const auto isPacked = [](const DigitAccess &table) { return table.packed; };
  if (isPacked(form.message) || std::any_of(form.factors.begin(), form.factors.end(), isPacked))
    return fmt::format("a table is packed, but {}", packing_fault::kInChain);
  std::vector<bool> live = liveDigits(form, 0), everLive = live;
  uint32_t factors = 0;
  for (size_t s = 0; s < form.steps.size(); ++s) {
    if (form.steps[s].firstFactor != factors)
      return fmt::format("step {} starts with factor {} where {} is due", s,
                         form.steps[s].firstFactor, factors);
    if (std::string fault = findStepFault(form, s, live, everLive); !fault.empty())
      return fault;
    factors += form.steps[s].factorCount;
  }
  if (factors != form.factors.size())
    return fmt::format("{} of {} factors are used", factors, form.factors.size());
  for (size_t d = 0; d < live.size(); ++d)
    if (live[d] == form.digits[d].reduced || live[d] != (form.result.stridesElems[d] != 0))
      return fmt::format("digit {} is {}in the message at the end", d, live[d] ? "" : "not ");
  if (form.message.sizeElems != messageElems(form, 0))
    return fmt::format("the message has {} entries, its digits {}", form.message.sizeElems,
                       messageElems(form, 0));
  return {};
}

} // namespace mpf
