#include "codegen/emit/nest/nest.h"

#include "codegen/emit/nest/kernel_frame.h"
#include "codegen/kernel/plan/kernel_shape.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <optional>

namespace mpf {

namespace {

class Builder {
public:
  explicit Builder(const NestPlan &plan) : plan_(plan) { nest_.plan = &plan; }

  Nest build() {
    addAxes();
    addGuards();
    for (size_t i = 0; i < plan_.form.operands.size(); ++i)
      addOperand(i);
    addSteps();
    addResult();
    return std::move(nest_);
  }

private:
  void addAxes() {
    for (const Axis &axis : plan_.axes) {
      const bool reduced = plan_.form.digits[axis.digit.index()].reduced;
      MPF_CHECK(axis.role == AxisRole::Page || (axis.role == AxisRole::Sum) == reduced,
                "axis {} of a {} digit has the wrong role", axis.name,
                reduced ? "reduced" : "kept");
      places_.push_back(axis.extent > 1 ? std::optional(nest_.axes.size()) : std::nullopt);
      if (axis.extent > 1)
        addAxis(axis);
    }
    collect(AxisRole::Block, nest_.blockAxes);
    collect(AxisRole::Thread, nest_.threadAxes);
    collect(AxisRole::Register, nest_.registerAxes);
    collectLoops();
    for (size_t axis : nest_.threadAxes)
      nest_.activeThreads *= nest_.extents[axis];
    MPF_CHECK(nest_.activeThreads <= plan_.launch.blockThreads,
              "{} thread indices but {} threads in a block", nest_.activeThreads,
              plan_.launch.blockThreads);
    uint64_t blocks = 1;
    for (size_t axis : nest_.blockAxes)
      blocks *= nest_.extents[axis];
    MPF_CHECK(blocks == plan_.launch.gridBlocks, "{} block indices but {} blocks in the grid",
              blocks, plan_.launch.gridBlocks);
  }

  void addAxis(const Axis &axis) {
    const bool whole = axis.role == AxisRole::Sum && axis.unroll >= axis.extent;
    nest_.axes.push_back({axis.name, axis.role, axis.digit.index(), axis.extent, axis.step,
                          axis.unroll, axis.role == AxisRole::Register || whole});
    nest_.extents.push_back(axis.extent);
  }

  void collect(AxisRole role, std::vector<size_t> &axes) {
    for (size_t i = 0; i < nest_.axes.size(); ++i)
      if (nest_.axes[i].role == role)
        axes.push_back(i);
  }

  void collectLoops() {
    std::vector<size_t> pages;
    collect(AxisRole::Page, pages);
    std::stable_partition(pages.begin(), pages.end(), [&](size_t axis) {
      return !plan_.form.digits[nest_.axes[axis].digit].reduced;
    });
    nest_.loops = pages;
    nest_.pages = pages.size();
    while (nest_.outerPages < pages.size() &&
           !plan_.form.digits[nest_.axes[pages[nest_.outerPages]].digit].reduced)
      ++nest_.outerPages;
    collect(AxisRole::Sum, nest_.loops);
    MPF_CHECK(nest_.outerPages <= nest_.pages && nest_.pages <= nest_.loops.size(),
              "{} outer pages of {} among {} loops", nest_.outerPages, nest_.pages,
              nest_.loops.size());
  }

  void addGuards() {
    nest_.guards.resize(plan_.form.digits.size());
    std::vector<uint64_t> greatest(plan_.form.digits.size(), 0);
    for (const NestAxis &axis : nest_.axes)
      greatest[axis.digit] += (axis.extent - 1) * axis.step;
    for (size_t digit = 0; digit < greatest.size(); ++digit) {
      if (greatest[digit] < plan_.form.digits[digit].extent)
        continue;
      nest_.guards[digit].extent = plan_.form.digits[digit].extent;
      for (size_t axis = 0; axis < nest_.axes.size(); ++axis)
        if (nest_.axes[axis].digit == digit)
          nest_.guards[digit].parts.push_back({axis, nest_.axes[axis].step});
    }
  }

  NestTable tableOf(const DigitAccess &access, std::string name) {
    MPF_CHECK(access.stridesElems.size() == plan_.form.digits.size(),
              "{}: {} strides for {} digits", name, access.stridesElems.size(),
              plan_.form.digits.size());
    NestTable table;
    table.name = std::move(name);
    table.packed = access.packed;
    for (const NestAxis &axis : nest_.axes)
      table.globalStrides.push_back(access.stridesElems[axis.digit] * axis.step);
    for (size_t digit = 0; digit < plan_.form.digits.size(); ++digit)
      if (nest_.isGuarded(digit) && access.stridesElems[digit] != 0)
        table.guards.push_back(digit);
    nest_.wideLoops |= access.sizeElems > INT32_MAX;
    return table;
  }

  void addOperand(size_t index) {
    const Segment &segment = plan_.segments[index];
    MPF_CHECK(segment.operand == index, "segment {} is of operand {}", index, segment.operand);
    NestTable table = tableOf(plan_.form.operands[index], operandName(index));
    table.placement = segment.placement;
    if (table.isShared())
      addSegment(table, segment);
    for (size_t axis = 0; axis < nest_.axes.size(); ++axis)
      if (table.moves(axis))
        table.scopeDepth = std::max(table.scopeDepth, nest_.depthOf(axis));
    layOut(table, segment.fragmentVector);
    if (table.isShared() && plan_.stages > 1) { // copies are waited for where the page is known
      table.loadDepth = std::max(table.loadDepth, nest_.pages);
      table.scopeDepth = std::max(table.scopeDepth, nest_.pages);
    }
    nest_.operands.push_back(std::move(table));
  }

  void addSegment(NestTable &table, const Segment &segment) {
    MPF_CHECK(segment.stridesElems.size() == segment.tagAxes.size(),
              "segment {} has {} strides for {} axes", table.name, segment.stridesElems.size(),
              segment.tagAxes.size());
    table.sharedStrides.assign(nest_.axes.size(), 0);
    table.offsetElems = segment.offsetElems;
    table.allocatedElems = segment.allocatedElems;
    table.buffers = bufferCount(plan_, segment);
    table.fetchVector = segment.fetchVector;
    for (size_t i = 0; i < segment.tagAxes.size(); ++i)
      if (const auto axis = places_[segment.tagAxes[i]])
        table.sharedStrides[*axis] = segment.stridesElems[i];
    for (size_t axis = 0; axis < nest_.axes.size(); ++axis) {
      if (!table.moves(axis))
        continue;
      const AxisRole role = nest_.axes[axis].role;
      const bool paged = role == AxisRole::Block || role == AxisRole::Page;
      MPF_CHECK(table.inSegment(axis) != paged, "axis {} of segment {} is {}in its cache tag",
                nest_.axes[axis].name, table.name, paged ? "" : "not ");
      if (role == AxisRole::Page)
        table.pageDepth = std::max(table.pageDepth, nest_.depthOf(axis));
    }
  }

  /// Register axes are always part of the fragment; sum axes where all entries of a page are held
  /// at once (Placement::Registers).
  void layOut(NestTable &table, uint32_t vector) {
    std::vector<std::pair<size_t, uint64_t>> inside;
    for (size_t axis = 0; axis < nest_.axes.size(); ++axis) {
      if (!table.moves(axis))
        continue;
      const AxisRole role = nest_.axes[axis].role;
      if (role == AxisRole::Register ||
          (role == AxisRole::Sum && table.placement == Placement::Registers))
        inside.emplace_back(axis, table.readStrides()[axis]);
      else
        table.loadDepth = std::max(table.loadDepth, nest_.depthOf(axis));
    }
    table.fragment = layOutFragment(std::move(inside), nest_.extents, vector);
  }

  size_t scopeDepth(uint32_t value) const {
    return value < nest_.operands.size() ? nest_.operands[value].scopeDepth
                                         : nest_.steps[value - nest_.operands.size()].depth;
  }
  const std::string &valueName(uint32_t value) const {
    return value < nest_.operands.size() ? nest_.operands[value].name
                                         : nest_.steps[value - nest_.operands.size()].name;
  }

  void addSteps() {
    MPF_CHECK(plan_.products.size() + 1 == nest_.operands.size(),
              "{} products for {} operands of {}", plan_.products.size(), nest_.operands.size(),
              plan_.name);
    for (const ProductStep &product : plan_.products) {
      const size_t values = nest_.operands.size() + nest_.steps.size();
      MPF_CHECK(product.left < values && product.right < values,
                "a product of values {} and {} when there are {}", product.left, product.right,
                values);
      NestStep step;
      step.left = product.left;
      step.right = product.right;
      step.name = valueName(step.left) + valueName(step.right);
      step.depth = std::max(scopeDepth(step.left), scopeDepth(step.right));
      for (uint32_t axis : product.registerAxes) {
        MPF_CHECK(axis < places_.size(), "product {} varies over axis {} of {}", step.name, axis,
                  places_.size());
        if (places_[axis])
          step.axes.push_back(*places_[axis]);
      }
      nest_.steps.push_back(std::move(step));
    }
  }

  void addResult() {
    nest_.result = tableOf(plan_.form.result, "result");
    layOut(nest_.result, plan_.storeVector);
  }

  const NestPlan &plan_;
  Nest nest_;
  std::vector<std::optional<size_t>> places_; ///< plan axis -> nest axis; none for extent 1
};

} // namespace

size_t Nest::depthOf(size_t axis) const {
  const auto found = std::find(loops.begin(), loops.end(), axis);
  return found == loops.end() ? 0 : static_cast<size_t>(found - loops.begin()) + 1;
}

size_t Nest::axisNamed(const std::string &name) const {
  for (size_t axis = 0; axis < axes.size(); ++axis)
    if (axes[axis].name == name)
      return axis;
  MPF_UNREACHABLE("no axis {} in {}", name, plan->name);
}

Nest buildNest(const NestPlan &plan) {
  MPF_CHECK(!plan.form.operands.empty() && plan.form.operands.size() <= kMaxOperands &&
                plan.segments.size() == plan.form.operands.size(),
            "{} operands and {} segments in {}", plan.form.operands.size(), plan.segments.size(),
            plan.name);
  return Builder(plan).build();
}

} // namespace mpf
