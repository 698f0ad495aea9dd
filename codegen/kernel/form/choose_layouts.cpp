#include "codegen/kernel/form/choose_layouts.h"

#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace mpf {

namespace {
constexpr double kFullRow = 64; ///< entries of a row; longer rows are no better
// Rows that are no multiple of 8 entries (a sector of f32) begin inside sectors. A sector that two
// stores fill costs as much as five sectors. Multiples of 128, which a warp stores at once, are
// best.
constexpr double kEvenMerit = 0.75;      ///< for each of the first two factors of 2
constexpr double kSectorMerit = 1.5;     ///< for the third factor
constexpr double kLineMerit = 0.25;      ///< for each of the next four factors
constexpr double kDominantShare = 0.125; ///< share of the result from which an operand is streamed

/// Returns the merit of a digit as the fastest one, in doublings of its row.
double merit(const DigitForm &form, const DigitAccess &largest, size_t digit) {
  const uint64_t extent = form.digits[digit].extent;
  const int twos = std::countr_zero(extent);
  const double aligned = kEvenMerit * std::min(twos, 2) + kSectorMerit * (twos >= 3 ? 1 : 0) +
                         kLineMerit * std::clamp(twos - 3, 0, 4);
  double inOperands = 0;
  for (const DigitAccess &operand : form.operands)
    inOperands += operand.stridesElems[digit] != 0;
  const bool dominant = static_cast<double>(largest.sizeElems) >=
                        kDominantShare * static_cast<double>(form.result.sizeElems);
  return std::log2(std::min(static_cast<double>(extent), kFullRow)) + aligned - inOperands +
         (dominant && largest.stridesElems[digit] != 0 ? 2.5 : 0);
}

/// Sets dense strides for the digits of `access` in this order, fastest first.
void setStrides(const DigitForm &form, DigitAccess &access, const std::vector<DigitId> &order) {
  uint64_t stride = 1;
  for (const DigitId digit : order)
    if (uint64_t &s = access.stridesElems[digit.index()]; s != 0) {
      s = stride;
      stride *= form.digits[digit.index()].extent;
    }
}

/// Returns `kept` with the reduced digits inserted behind the first digits that the operand has.
std::vector<DigitId> operandOrder(const DigitForm &form, const DigitAccess &operand,
                                  const std::vector<DigitId> &kept, uint64_t leastRowElems) {
  std::vector<DigitId> order = kept;
  size_t inRow = 0; // number of digits of `order` in a row
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
  MPF_CHECK(!form.operands.empty(), "a layout for an operation of {} digits without operands",
            form.digits.size());
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

std::vector<std::vector<DigitId>> layoutOrders(const DigitForm &form, size_t most) {
  const std::vector<DigitId> first = layoutOrder(form);
  std::vector<std::vector<DigitId>> orders;
  for (size_t i = 0; i < std::min(most, std::max<size_t>(1, first.size())); ++i) {
    orders.push_back(first);
    const auto begin = orders.back().begin();
    if (i > 0)
      std::rotate(begin, begin + static_cast<ptrdiff_t>(i), begin + static_cast<ptrdiff_t>(i) + 1);
  }
  return orders;
}

DigitForm layOut(DigitForm form, const std::vector<DigitId> &kept, uint64_t leastRowElems) {
  MPF_CHECK(kept.size() == form.keptCount(), "an order of {} digits, {} are kept", kept.size(),
            form.keptCount());
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
