#include "codegen/kernel/text/read_nest.h"

#include "codegen/kernel/plan/kernel_shape.h"
#include "codegen/kernel/text/plan_lines.h"
#include "dsl/support/number_text.h"

#include <array>

namespace mpf {

namespace {
constexpr std::array kRoles = {AxisRole::Block, AxisRole::Page, AxisRole::Thread,
                               AxisRole::Register, AxisRole::Sum};
constexpr std::array kPlacements = {Placement::Shared, Placement::Bypass, Placement::Registers};

/// Reads one line after another into the plan.
class NestReader : PlanLines {
public:
  explicit NestReader(LineReader &lines) : PlanLines(lines) {}

  /// Reads the plan behind its head, up to the line 'end'.
  std::optional<NestPlan> read(const PlanHead &head);

private:
  bool readLine(const std::string &keyword);
  bool readAxis();
  bool readSegment();
  bool readShared(Segment &segment);
  bool readProduct();
  bool readStages();
  bool axisList(std::string_view key, std::vector<uint32_t> &axes);
  std::optional<uint32_t> axisNamed(std::string_view name) const;

  NestPlan plan_;
};

std::optional<uint32_t> NestReader::axisNamed(std::string_view name) const {
  for (uint32_t a = 0; a < plan_.axes.size(); ++a)
    if (plan_.axes[a].name == name)
      return a;
  return std::nullopt;
}

bool NestReader::axisList(std::string_view key, std::vector<uint32_t> &axes) {
  return list<uint32_t>(key, axes, [&](std::string_view name) { return axisNamed(name); });
}

bool NestReader::readAxis() {
  Axis axis;
  const auto name = lines_.takeWord("the axis' name");
  if (!name)
    return false;
  axis.name = *name;
  if (axisNamed(axis.name))
    return wrong("a name no other axis has");
  if (!choose(kRoles, roleName, "block, page, thread, register or sum", axis.role) ||
      !number("digit", kMaxEntries, axis.digit.value) ||
      !number("extent", UINT64_MAX, axis.extent) || !number("step", UINT64_MAX, axis.step))
    return false;
  if (axis.digit.index() >= plan_.form.digits.size() || plan_.axes.size() == kMaxEntries)
    return wrong(fmt::format("an axis over one of {} digits", plan_.form.digits.size()));
  if (axis.role == AxisRole::Sum && !number("unroll", UINT32_MAX, axis.unroll))
    return false;
  plan_.axes.push_back(std::move(axis));
  return true;
}

bool NestReader::readSegment() {
  Segment segment;
  const auto operand = lines_.takeUnsigned("the operand's number", kMaxOperands);
  if (!operand)
    return false;
  segment.operand = static_cast<uint32_t>(*operand);
  if (segment.operand != plan_.segments.size() || segment.operand >= plan_.form.operands.size())
    return wrong(
        fmt::format("segment {} of {}", plan_.segments.size(), plan_.form.operands.size()));
  if (!choose(kPlacements, placementName, "shared, bypass or registers", segment.placement) ||
      !axisList("axes", segment.tagAxes) || !number("size_elems", UINT64_MAX, segment.sizeElems) ||
      !axisList("pages", segment.pageAxes) ||
      !number("lifetime_pages", UINT64_MAX, segment.lifetimePages) ||
      !number("fragment_vector", 64, segment.fragmentVector))
    return false;
  if (segment.placement == Placement::Shared && !readShared(segment))
    return false;
  plan_.segments.push_back(std::move(segment));
  return true;
}

bool NestReader::readShared(Segment &segment) {
  const auto part = [&](std::string_view text) {
    return partOf<FetchPart>(text, [&](std::string_view name) { return axisNamed(name); });
  };
  return list<uint64_t>("strides_elems", segment.stridesElems, parseUnsigned) &&
         number("allocated_elems", UINT64_MAX, segment.allocatedElems) &&
         number("offset_elems", UINT64_MAX, segment.offsetElems) &&
         list<FetchPart>("fetch", segment.fetchParts, part) &&
         number("fetch_vector", 64, segment.fetchVector) &&
         readYesNo("conflict_free", segment.conflictFree);
}

bool NestReader::readProduct() {
  ProductStep step;
  const auto left = lines_.takeUnsigned("the left source", 2 * kMaxOperands);
  const auto right = left ? lines_.takeUnsigned("the right source", 2 * kMaxOperands) : left;
  if (!right || !axisList("axes", step.registerAxes))
    return false;
  if (plan_.products.size() + 1 >= plan_.form.operands.size())
    return wrong(fmt::format("one product less than the {} operands", plan_.form.operands.size()));
  step.left = static_cast<uint32_t>(*left);
  step.right = static_cast<uint32_t>(*right);
  plan_.products.push_back(std::move(step));
  return true;
}

bool NestReader::readStages() {
  const auto stages = lines_.takeUnsigned("the number of stages", 64);
  if (stages)
    plan_.stages = static_cast<uint32_t>(*stages);
  return stages.has_value();
}

bool NestReader::readLine(const std::string &keyword) {
  if (const std::optional<bool> form = readFormLine(keyword, plan_.form))
    return *form;
  if (keyword == "stages")
    return readStages();
  if (keyword == "axis")
    return readAxis();
  if (keyword == "segment")
    return readSegment();
  if (keyword == "product")
    return readProduct();
  return wrong("a line of a nest plan (digit, operand, axis, segment, ...) or end");
}

std::optional<NestPlan> NestReader::read(const PlanHead &head) {
  plan_.name = head.name;
  plan_.kind = head.family == kindName(NestKind::Tile) ? NestKind::Tile : NestKind::Stream;
  if (!readBody(plan_, [this](const std::string &keyword) { return readLine(keyword); }))
    return std::nullopt;
  return std::move(plan_);
}

} // namespace

std::optional<NestPlan> readNest(const PlanHead &head, LineReader &lines) {
  return NestReader(lines).read(head);
}

} // namespace mpf
