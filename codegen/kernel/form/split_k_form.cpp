#include "codegen/kernel/form/split_k_form.h"

#include "codegen/plan/program/split_k.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <utility>

namespace mpf {

std::vector<uint64_t> reducedExtents(const DigitForm &form) {
  std::vector<uint64_t> extents;
  for (const Digit &digit : form.digits)
    if (digit.reduced)
      extents.push_back(digit.extent);
  return extents;
}

DigitForm partialForm(const DigitForm &whole, uint64_t splits) {
  MPF_CHECK(splitsDivide(reducedExtents(whole), splits), "a sum of {} terms in {} splits",
            whole.reducedAddresses(), splits);
  DigitForm form;
  form.semiring = whole.semiring;
  form.operands = whole.operands;
  form.result = whole.result;
  for (DigitAccess &access : form.operands)
    access.stridesElems.clear();
  form.result.stridesElems.clear();
  form.result.sizeElems = saturatingMul(whole.result.sizeElems, splits);
  // Value v of the new digit is value v * step of digit d of the whole form.
  const auto add = [&](size_t d, uint64_t extent, uint64_t step, uint64_t resultStride,
                       bool reduced) {
    form.digits.push_back({extent, reduced, whole.digits[d].variables});
    for (size_t i = 0; i < form.operands.size(); ++i)
      form.operands[i].stridesElems.push_back(whole.operands[i].stridesElems[d] * step);
    form.result.stridesElems.push_back(resultStride);
  };
  const size_t kept = whole.keptCount();
  uint64_t left = splits;
  std::vector<uint64_t> cut; // by reduced digit: the number of splits that it distinguishes
  for (size_t d = kept; d < whole.digits.size(); ++d) {
    cut.push_back(std::min(left, whole.digits[d].extent));
    left /= cut.back();
    MPF_CHECK(whole.digits[d].extent % cut.back() == 0, "digit {} of {} values in {} stretches", d,
              whole.digits[d].extent, cut.back());
    if (cut.back() > 1)
      add(d, cut.back(), whole.digits[d].extent / cut.back(), whole.result.sizeElems * left, false);
  }
  MPF_CHECK(left == 1, "{} of {} splits are in no digit", left, splits);
  for (size_t d = 0; d < kept; ++d)
    add(d, whole.digits[d].extent, 1, whole.result.stridesElems[d], false);
  for (size_t d = kept; d < whole.digits.size(); ++d)
    if (const uint64_t rest = whole.digits[d].extent / cut[d - kept]; rest > 1)
      add(d, rest, 1, 0, true);
  return form;
}

DigitForm addingForm(const DigitForm &whole, uint64_t splits) {
  DigitForm form;
  form.semiring = whole.semiring;
  const size_t kept = whole.keptCount();
  const auto digits = whole.digits.begin();
  const auto strides = whole.result.stridesElems.begin();
  MPF_CHECK(splits > 1, "adding up {} splits", splits);
  MPF_CHECK(whole.result.stridesElems.size() >= kept, "a result of {} strides for {} kept digits",
            whole.result.stridesElems.size(), kept);
  form.digits.assign(digits, digits + static_cast<ptrdiff_t>(kept));
  form.digits.push_back({splits, true, {}});
  form.result = whole.result;
  form.result.stridesElems.assign(strides, strides + static_cast<ptrdiff_t>(kept));
  DigitAccess partial = form.result;
  partial.stridesElems.push_back(whole.result.sizeElems);
  partial.sizeElems = saturatingMul(whole.result.sizeElems, splits);
  form.operands.push_back(std::move(partial));
  form.result.stridesElems.push_back(0);
  return form;
}

} // namespace mpf
