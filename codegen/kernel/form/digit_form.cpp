#include "codegen/kernel/form/digit_form.h"

#include "dsl/support/strided_fault.h"

#include <algorithm>

namespace mpf {

void Digit::absorb(const Digit &other, bool below) {
  StridedDigit::absorb(other, below);
  variables.insert(below ? variables.end() : variables.begin(), other.variables.begin(),
                   other.variables.end());
}

bool DigitForm::readsPacked() const {
  return std::any_of(operands.begin(), operands.end(),
                     [](const DigitAccess &operand) { return operand.packed; });
}

namespace {
std::string slotName(const DigitForm &form, size_t slot) {
  return slot < form.operands.size() ? fmt::format("operand {}", slot) : "the result";
}

std::string findAccessFault(const DigitForm &form, size_t slot) {
  const DigitAccess &access = form.slot(slot);
  if (access.stridesElems.size() != form.digits.size())
    return fmt::format("{} has {} strides for {} digits", slotName(form, slot),
                       access.stridesElems.size(), form.digits.size());
  const uint64_t last = form.lastOffset(access);
  if (last >= access.sizeElems)
    return fmt::format("{} reaches entry {} of a table of {}", slotName(form, slot), last,
                       access.sizeElems);
  return {};
}
} // namespace

std::string findFault(const DigitForm &form, size_t maxOperands) {
  if (std::string fault = findDigitFault(form, maxOperands); !fault.empty())
    return fault;
  for (size_t slot = 0; slot < form.slotCount(); ++slot)
    if (std::string fault = findAccessFault(form, slot); !fault.empty())
      return fault;
  if (form.result.packed)
    return fmt::format("the result is packed, but {}", packing_fault::kNoInput);
  if (const std::string_view fault = packingFaultOf(form.semiring);
      form.readsPacked() && !fault.empty())
    return fmt::format("an operand is packed, but {}", fault);
  return findResultFault(form, form.result.sizeElems);
}

} // namespace mpf
