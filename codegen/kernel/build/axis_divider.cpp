#include "codegen/kernel/build/axis_divider.h"

#include "codegen/kernel/plan/kernel_shape.h"
#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

AxisDivider::AxisDivider(const DigitForm &form)
    : form_(&form), covered_(form.digits.size(), 1),
      roleAxes_(static_cast<size_t>(AxisRole::Sum) + 1) {}

uint64_t AxisDivider::left(DigitId digit) const {
  MPF_CHECK(digit.index() < covered_.size(), "digit {} of {}", digit, covered_.size());
  const uint64_t covered = covered_[digit.index()];
  const uint64_t extent = form_->digits[digit.index()].extent;
  return extent / covered + (extent % covered != 0);
}

void AxisDivider::take(DigitId digit, AxisRole role, uint64_t extent, uint32_t unroll) {
  MPF_CHECK(extent >= 1 && extent <= left(digit), "axis of {} values of the {} left of digit {}",
            extent, left(digit), digit);
  if (extent == 1)
    return;
  auto &axes = roleAxes_[static_cast<size_t>(role)];
  const auto index = std::count_if(axes.begin(), axes.end(),
                                   [&](const Axis &axis) { return axis.digit == digit; });
  // Thousands of candidates are formed for one kernel: no format strings.
  std::string name = "d" + std::to_string(digit.value) + '_' + roleName(role).front();
  if (index > 0)
    name += std::to_string(index);
  axes.push_back({std::move(name), role, digit, extent, covered_[digit.index()], unroll});
  covered_[digit.index()] *= extent;
}

std::vector<Axis> AxisDivider::axes() const {
  std::vector<Axis> axes;
  for (const auto &ofRole : roleAxes_)
    axes.insert(axes.end(), ofRole.rbegin(), ofRole.rend());
  return axes;
}

uint64_t partOf(uint64_t left, uint64_t want, uint64_t unit) {
  MPF_CHECK(left > 0 && want > 0 && unit > 0, "{} of {} values in units of {}", want, left, unit);
  if (left <= want)
    return left;
  for (const uint64_t multiple : {unit, uint64_t{1}})
    for (uint64_t part = want; part > want / 2; --part)
      if (left % part == 0 && part % multiple == 0)
        return part;
  if (left >= 8 * want)
    return want;
  const uint64_t parts = (left + want - 1) / want;
  const uint64_t equal = (left + parts - 1) / parts;
  const uint64_t whole = (equal + unit - 1) / unit * unit;
  return whole <= want ? std::min(left, whole) : equal;
}

} // namespace mpf
