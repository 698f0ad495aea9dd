#include "codegen/kernel/form/digit_form.h"

#include "dsl/support/counts.h"

#include <algorithm>

namespace mpf {

bool DigitForm::readsPacked() const {
  return std::any_of(operands.begin(), operands.end(),
                     [](const DigitAccess &operand) { return operand.packed; });
}

namespace {
/// The result is the last access: what holds for operands mostly holds for it too.
std::vector<DigitAccess *> allAccesses(DigitForm &form) {
  std::vector<DigitAccess *> accesses;
  for (DigitAccess &operand : form.operands)
    accesses.push_back(&operand);
  accesses.push_back(&form.result);
  return accesses;
}

/// Digit `b` continues digit `a` at its less significant end in every table. Either may come first
/// in the bucket address: kept digits do not depend on their order there, nor do reduced ones.
bool canMerge(const std::vector<DigitAccess *> &accesses, const std::vector<Digit> &digits,
              size_t a, size_t b) {
  if (digits[a].reduced != digits[b].reduced)
    return false;
  return std::all_of(accesses.begin(), accesses.end(), [&](const DigitAccess *access) {
    return access->stridesElems[a] == saturatingMul(access->stridesElems[b], digits[b].extent);
  });
}
} // namespace

void mergeDigits(DigitForm &form) {
  const auto accesses = allAccesses(form);
  for (size_t b = 1; b < form.digits.size();) {
    // Digits that touch in every table may be apart in the bucket address, hence all a < b.
    size_t a = b;
    bool above = false, below = false; // a is the more significant one, or b
    while (!above && !below && a-- > 0) {
      above = canMerge(accesses, form.digits, a, b);
      below = !above && canMerge(accesses, form.digits, b, a);
    }
    if (!above && !below) {
      ++b;
      continue;
    }
    Digit &into = form.digits[a];
    const std::vector<VarId> &more = form.digits[b].variables;
    into.extent *= form.digits[b].extent;
    into.variables.insert(above ? into.variables.end() : into.variables.begin(), more.begin(),
                          more.end());
    for (DigitAccess *access : accesses) {
      if (above)
        access->stridesElems[a] = access->stridesElems[b];
      access->stridesElems.erase(access->stridesElems.begin() + static_cast<ptrdiff_t>(b));
    }
    form.digits.erase(form.digits.begin() + static_cast<ptrdiff_t>(b));
    b = std::max<size_t>(a, 1); // the merged digit may now continue an earlier one
  }
}

namespace {
/// Two addresses of the result never share an entry: sorted by stride, each kept digit steps over
/// everything the finer ones reach.
bool resultIsInjective(const DigitForm &form) {
  std::vector<size_t> kept;
  for (size_t d = 0; d < form.digits.size(); ++d)
    if (!form.digits[d].reduced && form.digits[d].extent > 1)
      kept.push_back(d);
  const auto &strides = form.result.stridesElems;
  std::sort(kept.begin(), kept.end(), [&](size_t a, size_t b) { return strides[a] < strides[b]; });
  uint64_t reached = 0;
  for (size_t d : kept) {
    if (strides[d] <= reached)
      return false;
    reached = saturatingAdd(reached, saturatingMul(form.digits[d].extent - 1, strides[d]));
  }
  return true;
}

std::string findAccessFault(const DigitForm &form, const DigitAccess &access,
                            const std::string &what) {
  const uint64_t last = form.lastOffset(access);
  if (last >= access.sizeElems)
    return fmt::format("{} reaches entry {} of a table of {}", what, last, access.sizeElems);
  return {};
}
} // namespace

std::string findFault(const DigitForm &form, size_t maxOperands) {
  if (!isSemiring(form.semiring))
    return "its combine and reduce do not form a semiring";
  if (form.operands.empty() || form.operands.size() > maxOperands)
    return fmt::format("{} operands, an operation has 1 to {}", form.operands.size(), maxOperands);
  if (std::string fault = findDigitFault(form); !fault.empty())
    return fault;
  for (size_t i = 0; i < form.operands.size(); ++i)
    if (auto fault = findAccessFault(form, form.operands[i], fmt::format("operand {}", i));
        !fault.empty())
      return fault;
  if (auto fault = findAccessFault(form, form.result, "the result"); !fault.empty())
    return fault;
  if (form.result.packed)
    return "the result is packed: only inputs are";
  if (form.readsPacked() && !storesZero(form.semiring))
    return "a packed operand of a minimum: its zero is infinite";
  for (size_t d = 0; d < form.digits.size(); ++d)
    if (form.digits[d].reduced && form.result.stridesElems[d] != 0)
      return fmt::format("reduced digit {} has result stride {}", d, form.result.stridesElems[d]);
  if (!resultIsInjective(form))
    return "two addresses of the result share an entry";
  if (form.result.sizeElems != form.keptAddresses())
    return fmt::format("the result has {} entries, its kept digits {}", form.result.sizeElems,
                       form.keptAddresses());
  return {};
}

} // namespace mpf
