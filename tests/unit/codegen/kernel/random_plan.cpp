#include "tests/unit/codegen/kernel/random_plan.h"

#include "codegen/kernel/plan/kernel_shape.h"
#include "codegen/kernel/plan/log_form.h"

#include <algorithm>
#include <fmt/core.h>
#include <numeric>
#include <random>

namespace mpf::test {

namespace {

class Dice {
public:
  explicit Dice(uint64_t seed) : plan_(), random_(seed), packing_(~seed) {
    plan_.name = fmt::format("k{}", seed);
  }

  NestPlan roll(uint64_t limit, std::optional<ElementType> type) {
    rollArithmetic();
    if (type)
      plan_.type = *type;
    if (isIntegerType(plan_.type)) {
      plan_.valueForm = ValueForm::Linear;
      if (plan_.form.semiring.reduce == Reduce::LogSum)
        plan_.form.semiring = {Reduce::Sum, Combine::Times};
      if (plan_.form.semiring.reduce == Reduce::Min)
        plan_.form.semiring.reduce = Reduce::Max;
    }
    rollForm(limit);
    if (usesExp2(plan_.form, plan_.valueForm))
      plan_.logSum = oneOf({LogSum::Running, LogSum::MantissaLoads, LogSum::MantissaTerms});
    rollAxes();
    rollSegments();
    rollProducts();
    plan_.storeVector =
        rollVector([&](uint32_t a) { return globalStride(plan_, plan_.form.operands.size(), a); },
                   [&](uint32_t a) { return plan_.axes[a].role == AxisRole::Register; }, true);
    plan_.launch.gridBlocks = roleExtent(plan_, AxisRole::Block);
    const auto threads = static_cast<uint32_t>(roleExtent(plan_, AxisRole::Thread));
    plan_.launch.blockThreads =
        chance(3) ? std::min(256u, threads + static_cast<uint32_t>(pick(40))) : threads;
    return plan_;
  }

private:
  // Not std::uniform_int_distribution: its results differ between libraries.
  uint64_t pick(uint64_t count) { return random_() % count; }
  bool chance(uint64_t oneIn) { return pick(oneIn) == 0; }
  template <class T> T oneOf(std::initializer_list<T> list) {
    return list.begin()[pick(list.size())];
  }
  template <class T> void shuffle(std::vector<T> &list) {
    for (size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1], list[pick(i)]);
  }

  void rollArithmetic() {
    plan_.form.semiring = oneOf<Semiring>({{Reduce::Sum, Combine::Times},
                                           {Reduce::Sum, Combine::Times},
                                           {Reduce::Max, Combine::Times},
                                           {Reduce::Min, Combine::Times},
                                           {Reduce::Max, Combine::Plus},
                                           {Reduce::Min, Combine::Plus},
                                           {Reduce::LogSum, Combine::Plus}});
    const bool logSum = plan_.form.semiring.reduce == Reduce::LogSum;
    const bool times = plan_.form.semiring.combine == Combine::Times;
    plan_.valueForm = logSum || (times && chance(3)) ? ValueForm::Log : ValueForm::Linear;
    plan_.type = oneOf({ElementType::F32, ElementType::F64});
    plan_.indexWidth = oneOf({IndexWidth::Bits32, IndexWidth::Bits64});
    plan_.kind = oneOf({NestKind::Stream, NestKind::Tile});
  }

  void rollForm(uint64_t limit) {
    const size_t kept = pick(4), reduced = pick(4);
    uint64_t addresses = 1;
    for (size_t i = 0; i < kept + reduced; ++i) {
      const auto extent = oneOf<uint64_t>({2, 3, 4, 5, 6, 7, 8, 12, 16, 24});
      if (addresses * extent > limit)
        continue;
      addresses *= extent;
      plan_.form.digits.push_back({extent, i >= kept, {}});
    }
    const size_t operands = 1 + pick(4);
    std::vector<std::vector<size_t>> scopes(operands);
    for (size_t digit = 0; digit < plan_.form.digits.size(); ++digit) {
      const size_t sure = pick(operands);
      for (size_t i = 0; i < operands; ++i)
        if (i == sure || chance(2))
          scopes[i].push_back(digit);
    }
    for (auto &scope : scopes) {
      plan_.form.operands.push_back(access(scope));
      plan_.form.operands.back().packed =
          packing_() % 4 == 0 && plan_.form.semiring.reduce != Reduce::Min &&
          !(isIntegerType(plan_.type) && plan_.form.semiring.combine == Combine::Plus);
    }
    std::vector<size_t> kepts;
    for (size_t digit = 0; digit < plan_.form.digits.size(); ++digit)
      if (!plan_.form.digits[digit].reduced)
        kepts.push_back(digit);
    plan_.form.result = access(kepts);
  }

  DigitAccess access(std::vector<size_t> digits) {
    if (chance(3))
      shuffle(digits);
    DigitAccess access;
    access.stridesElems.assign(plan_.form.digits.size(), 0);
    access.sizeElems = 1;
    for (size_t i = digits.size(); i-- > 0;) {
      access.stridesElems[digits[i]] = access.sizeElems;
      access.sizeElems *= plan_.form.digits[digits[i]].extent;
    }
    return access;
  }

  void rollAxes() {
    std::vector<Axis> axes;
    uint64_t threads = 1, registers = 1;
    for (size_t digit = 0; digit < plan_.form.digits.size(); ++digit) {
      const bool reduced = plan_.form.digits[digit].reduced;
      std::vector<AxisRole> roles;
      if (reduced) {
        roles = {AxisRole::Sum, AxisRole::Page, AxisRole::Sum};
      } else {
        roles = {AxisRole::Register, AxisRole::Thread, AxisRole::Register, AxisRole::Page};
        shuffle(roles);
        roles.push_back(oneOf({AxisRole::Block, AxisRole::Page}));
      }
      uint64_t step = 1;
      for (size_t i = 0; i < roles.size(); ++i) {
        const uint64_t extent = plan_.form.digits[digit].extent;
        const uint64_t left = (extent + step - 1) / step;
        uint64_t part = roles[i] == AxisRole::Thread ? oneOf<uint64_t>({1, 2, 4, 8, 16})
                                                     : oneOf<uint64_t>({1, 1, 2, 3, 4, 8});
        part = i + 1 == roles.size() ? left : std::min(left, part);
        if (roles[i] == AxisRole::Thread && threads * part > 256)
          part = 1;
        if (roles[i] == AxisRole::Register && registers * part > 32)
          part = 1;
        threads *= roles[i] == AxisRole::Thread ? part : 1;
        registers *= roles[i] == AxisRole::Register ? part : 1;
        if (part > 1 || chance(8))
          axes.push_back({"", roles[i], DigitId(digit), part, step,
                          roles[i] == AxisRole::Sum
                              ? oneOf<uint32_t>({1, 2, static_cast<uint32_t>(part)})
                              : 1});
        step *= part;
      }
    }
    shuffle(axes);
    std::stable_sort(axes.begin(), axes.end(),
                     [](const Axis &a, const Axis &b) { return a.role < b.role; });
    for (size_t i = 0; i < axes.size(); ++i)
      axes[i].name = fmt::format("d{}_{}{}", axes[i].digit.index(),
                                 "bptrs"[static_cast<int>(axes[i].role)], i);
    plan_.axes = axes;
  }

  void rollSegments() {
    uint64_t used = 0;
    for (uint32_t operand = 0; operand < plan_.form.operands.size(); ++operand) {
      Segment segment;
      segment.operand = operand;
      segment.placement =
          oneOf({Placement::Shared, Placement::Shared, Placement::Bypass, Placement::Registers});
      segment.sizeElems = 1;
      for (uint32_t a = 0; a < plan_.axes.size(); ++a) {
        if (globalStride(plan_, operand, a) == 0)
          continue;
        const AxisRole role = plan_.axes[a].role;
        if (role == AxisRole::Page)
          segment.pageAxes.push_back(a);
        else if (role != AxisRole::Block)
          segment.tagAxes.push_back(a);
      }
      for (uint32_t a : segment.tagAxes)
        segment.sizeElems *= plan_.axes[a].extent;
      if (segment.placement == Placement::Shared)
        rollShared(segment, used);
      rollFragment(segment);
      plan_.segments.push_back(segment);
    }
    plan_.launch.sharedBytes = static_cast<uint32_t>(used * elementBytes(plan_.type));
  }

  void rollShared(Segment &segment, uint64_t &used) {
    shuffle(segment.tagAxes);
    segment.stridesElems.assign(segment.tagAxes.size(), 0);
    uint64_t stride = 1;
    for (size_t i = segment.tagAxes.size(); i-- > 0;) {
      segment.stridesElems[i] = stride;
      stride = stride * plan_.axes[segment.tagAxes[i]].extent +
               (chance(3) ? 4 : oneOf<uint64_t>({0, 0, 1}));
    }
    segment.allocatedElems = stride;
    segment.offsetElems = used;
    used += (stride + 3) / 4 * 4;

    std::vector<uint32_t> order = segment.tagAxes; // slowest first
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return globalStride(plan_, segment.operand, a) > globalStride(plan_, segment.operand, b);
    });
    for (uint32_t a : order) {
      uint64_t extent = plan_.axes[a].extent, step = 1;
      if (globalStride(plan_, segment.operand, a) == 1 && extent > 1) {
        segment.fetchVector =
            rollVector([&](uint32_t x) { return globalStride(plan_, segment.operand, x); },
                       [&](uint32_t x) { return x == a; }, true);
        if (fragmentStride(plan_, segment, a) == 1)
          segment.fetchVector =
              std::min(segment.fetchVector,
                       rollVector([&](uint32_t x) { return fragmentStride(plan_, segment, x); },
                                  [&](uint32_t x) { return x == a; }, false));
        step = segment.fetchVector;
        extent /= step;
      }
      if (extent % 2 == 0 && chance(3)) {
        segment.fetchParts.push_back({a, extent / 2, step * 2});
        extent = 2;
      }
      segment.fetchParts.push_back({a, extent, step});
    }
  }

  void rollFragment(Segment &segment) {
    const bool shared = segment.placement == Placement::Shared;
    segment.fragmentVector = rollVector(
        [&](uint32_t a) {
          return shared ? fragmentStride(plan_, segment, a)
                        : globalStride(plan_, segment.operand, a);
        },
        [&](uint32_t a) {
          return plan_.axes[a].role == AxisRole::Register ||
                 (plan_.axes[a].role == AxisRole::Sum && segment.placement == Placement::Registers);
        },
        !shared, !shared && plan_.form.operands[segment.operand].packed);
  }

  /// A width that divides the contiguous run over the axes `inside` and every other stride.
  template <class StrideOf, class Inside>
  uint32_t rollVector(StrideOf strideOf, Inside inside, bool guarded, bool packed = false) {
    const uint32_t widest = packed ? kPackedWordElems : 16 / elementBytes(plan_.type);
    for (uint32_t width = widest; width > 1; width /= 2)
      if (!chance(4) && allowed(width, strideOf, inside, guarded))
        return width;
    return 1;
  }

  template <class StrideOf, class Inside>
  bool allowed(uint32_t width, StrideOf strideOf, Inside inside, bool guarded) {
    std::vector<std::pair<uint64_t, uint32_t>> axes; // stride, axis
    for (uint32_t a = 0; a < plan_.axes.size(); ++a)
      if (plan_.axes[a].extent > 1 && strideOf(a) != 0)
        axes.emplace_back(strideOf(a), a);
    std::sort(axes.begin(), axes.end());
    uint64_t run = 1;
    for (const auto &[stride, a] : axes) {
      const uint64_t extent = plan_.axes[a].extent;
      if (run < width) {
        if (stride != run || !inside(a))
          return false;
        const uint64_t count = std::min<uint64_t>(extent, width / run);
        if (extent % count != 0 || width % (run * count) != 0)
          return false;
        const uint64_t digitExtent = plan_.form.digits[plan_.axes[a].digit.index()].extent;
        if (guarded && isGuarded(plan_, plan_.axes[a].digit) &&
            digitExtent % (plan_.axes[a].step * count) != 0)
          return false;
        run *= count;
      } else if (stride % width != 0) {
        return false;
      }
    }
    return run == width;
  }

  void rollProducts() {
    std::vector<uint32_t> values(plan_.form.operands.size());
    std::iota(values.begin(), values.end(), 0u);
    while (values.size() > 1) {
      shuffle(values);
      ProductStep step{values[values.size() - 1], values[values.size() - 2], {}};
      values.resize(values.size() - 2);
      plan_.products.push_back(step);
      const auto value =
          static_cast<uint32_t>(plan_.form.operands.size() + plan_.products.size() - 1);
      for (uint32_t a = 0; a < plan_.axes.size(); ++a)
        if (plan_.axes[a].role == AxisRole::Register && sourceVaries(plan_, value, a))
          plan_.products.back().registerAxes.push_back(a);
      values.push_back(value);
    }
  }

  NestPlan plan_;
  std::mt19937_64 random_;
  std::mt19937_64 packing_; ///< apart: whether operands are packed changes nothing else
};

} // namespace

NestPlan randomPlan(uint64_t seed, uint64_t limit, std::optional<ElementType> type) {
  return Dice(seed).roll(limit, type);
}

} // namespace mpf::test
