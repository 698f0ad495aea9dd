#include "codegen/kernel/choose_layouts.h"

#include "dsl/support/counts.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mpf {

namespace {
constexpr double kFullRow = 256;         ///< entries of a row beyond which longer is no better
constexpr double kDominantShare = 0.125; ///< of the result: from there on an operand is streamed

/// How good a digit is as the fastest one: in doublings of its row.
double merit(const DigitForm &form, const DigitAccess &largest, size_t digit) {
  const uint64_t extent = form.digits[digit].extent;
  const double aligned = extent % 4 == 0 ? 1.5 : extent % 2 == 0 ? 0.75 : 0;
  double inOperands = 0;
  for (const DigitAccess &operand : form.operands)
    inOperands += operand.stridesElems[digit] != 0;
  const bool dominant = static_cast<double>(largest.sizeElems) >=
                        kDominantShare * static_cast<double>(form.result.sizeElems);
  return std::log2(std::min(static_cast<double>(extent), kFullRow)) + aligned - 0.5 * inOperands +
         (dominant && largest.stridesElems[digit] != 0 ? 2.5 : 0);
}

/// Dense strides for the digits of `access` in this order, fastest first.
void setStrides(const DigitForm &form, DigitAccess &access, const std::vector<DigitId> &order) {
  uint64_t stride = 1;
  for (const DigitId digit : order)
    if (uint64_t &s = access.stridesElems[digit.index()]; s != 0) {
      s = stride;
      stride *= form.digits[digit.index()].extent;
    }
}

/// `kept` with the reduced digits behind the first digits that the operand has.
std::vector<DigitId> operandOrder(const DigitForm &form, const DigitAccess &operand,
                                  const std::vector<DigitId> &kept, uint64_t leastRowElems) {
  std::vector<DigitId> order = kept;
  size_t inRow = 0; // digits of `order`
  uint64_t rowElems = 1;
  for (size_t i = 0; i < order.size() && (inRow == 0 || rowElems < leastRowElems); ++i)
    if (const size_t digit = order[i].index(); operand.stridesElems[digit] != 0) {
      rowElems = saturatingMul(rowElems, form.digits[digit].extent);
      inRow = i + 1;
    }
  std::vector<DigitId> reduced;
  for (size_t d = form.digits.size(); d-- > form.keptCount();)
    reduced.push_back(DigitId(d));
  order.insert(order.begin() + static_cast<ptrdiff_t>(inRow), reduced.begin(), reduced.end());
  return order;
}
} // namespace

std::vector<DigitId> layoutOrder(const DigitForm &form) {
  const DigitAccess &largest = *std::max_element(
      form.operands.begin(), form.operands.end(),
      [](const DigitAccess &a, const DigitAccess &b) { return a.sizeElems < b.sizeElems; });
  std::vector<DigitId> order;
  for (size_t d = form.keptCount(); d-- > 0;)
    order.push_back(DigitId(d));
  std::stable_sort(order.begin(), order.end(), [&](DigitId a, DigitId b) {
    return merit(form, largest, a.index()) > merit(form, largest, b.index());
  });
  return order;
}

DigitForm layOut(DigitForm form, const std::vector<DigitId> &kept, uint64_t leastRowElems) {
  for (DigitAccess &operand : form.operands)
    setStrides(form, operand, operandOrder(form, operand, kept, leastRowElems));
  setStrides(form, form.result, kept);
  return form;
}

DigitForm chooseLayouts(DigitForm form) {
  const std::vector<DigitId> kept = layoutOrder(form);
  return layOut(std::move(form), kept);
}

} // namespace mpf
