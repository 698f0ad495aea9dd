#include "codegen/kernel/plan/interleave_lanes.h"

#include "codegen/kernel/plan/kernel_shape.h"
#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {

/// The values of one digit that the threads cover.
struct InterleavedDigit {
  DigitId digit;
  uint64_t step = 1;
  uint64_t left = 1; ///< values not dealt out yet
  double saved = 0;  ///< fragment entries of operands that lack the digit
};

double savedAlong(const DigitForm &form, const std::vector<Axis> &axes, DigitId digit) {
  double saved = 0;
  for (const DigitAccess &operand : form.operands) {
    if (operand.stridesElems[digit.index()] != 0)
      continue;
    double entries = 1;
    for (const Axis &axis : axes)
      if (axis.role == AxisRole::Register && operand.stridesElems[axis.digit.index()] != 0)
        entries *= static_cast<double>(axis.extent);
    saved += entries;
  }
  return saved;
}

/// Returns the digits of the threads, fastest first; none if the threads of a digit are not one run
/// of its values.
std::optional<std::vector<InterleavedDigit>> threadDigits(const DigitForm &form,
                                                          const std::vector<Axis> &axes) {
  std::vector<InterleavedDigit> digits;
  for (size_t a = axes.size(); a-- > 0;) {
    const Axis &axis = axes[a];
    if (axis.role != AxisRole::Thread || axis.extent == 1)
      continue;
    const auto known = std::find_if(digits.begin(), digits.end(), [&](const InterleavedDigit &w) {
      return w.digit == axis.digit;
    });
    if (known == digits.end())
      digits.push_back({axis.digit, axis.step, axis.extent, savedAlong(form, axes, axis.digit)});
    else if (axis.step == known->step * known->left)
      known->left *= axis.extent;
    else
      return std::nullopt;
  }
  return digits;
}

/// Makes thread axes, fastest first, with the names that AxisDivider gives.
class ThreadAxes {
public:
  void take(InterleavedDigit &from, uint64_t extent) {
    if (extent == 1)
      return;
    MPF_CHECK(from.left % extent == 0, "{} of the {} values left of digit {}", extent, from.left,
              from.digit);
    const auto index = std::count_if(axes_.begin(), axes_.end(),
                                     [&](const Axis &axis) { return axis.digit == from.digit; });
    std::string name = fmt::format("d{}_{}", from.digit, roleName(AxisRole::Thread).front());
    if (index > 0)
      name += fmt::format("{}", index);
    axes_.push_back({std::move(name), AxisRole::Thread, from.digit, extent, from.step, 1});
    from.step *= extent;
    from.left /= extent;
  }
  const std::vector<Axis> &axes() const { return axes_; }

private:
  std::vector<Axis> axes_;
};

} // namespace

bool tilesThreeDigits(const DigitForm &form, const std::vector<Axis> &axes) {
  std::vector<size_t> digits;
  for (size_t d = 0; d < form.keptCount(); ++d)
    if (std::any_of(axes.begin(), axes.end(), [&](const Axis &axis) {
          return axis.role == AxisRole::Register && axis.extent > 1 && axis.digit.index() == d;
        }))
      digits.push_back(d);
  const auto faces =
      std::count_if(form.operands.begin(), form.operands.end(), [&](const DigitAccess &operand) {
        const auto along = std::count_if(digits.begin(), digits.end(),
                                         [&](size_t d) { return operand.stridesElems[d] != 0; });
        return along >= 2 && static_cast<size_t>(along) < digits.size();
      });
  return faces >= 3;
}

std::optional<std::vector<Axis>>
interleavedLanes(const DigitForm &form, const std::vector<Axis> &axes, uint32_t warpThreads) {
  if (!tilesThreeDigits(form, axes))
    return std::nullopt;
  std::optional<std::vector<InterleavedDigit>> digits = threadDigits(form, axes);
  if (!digits || digits->size() < 2)
    return std::nullopt;
  std::vector<size_t> order(digits->size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return (*digits)[a].saved > (*digits)[b].saved; });
  ThreadAxes threads;
  for (uint64_t lanes = 1; lanes < warpThreads;) {
    const uint64_t before = lanes;
    for (size_t i = 0; i < order.size() && lanes < warpThreads; ++i)
      if (InterleavedDigit &digit = (*digits)[order[i]]; digit.left % 2 == 0) {
        threads.take(digit, 2);
        lanes *= 2;
      }
    if (lanes == before)
      return std::nullopt;
  }
  for (InterleavedDigit &digit : *digits)
    threads.take(digit, digit.left);

  const auto threadsOf = [](const std::vector<Axis> &all) {
    uint64_t product = 1;
    for (const Axis &axis : all)
      product *= axis.role == AxisRole::Thread ? axis.extent : 1;
    return product;
  };
  MPF_CHECK(threadsOf(threads.axes()) == threadsOf(axes), "{} threads are interleaved of {}",
            threadsOf(threads.axes()), threadsOf(axes));
  std::vector<Axis> interleaved;
  bool done = false;
  for (const Axis &axis : axes)
    if (axis.role != AxisRole::Thread) {
      interleaved.push_back(axis);
    } else if (!done) {
      interleaved.insert(interleaved.end(), threads.axes().rbegin(), threads.axes().rend());
      done = true;
    }
  return interleaved;
}

} // namespace mpf
