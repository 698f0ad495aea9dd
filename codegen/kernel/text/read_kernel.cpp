#include "codegen/kernel/text/read_kernel.h"

#include "codegen/kernel/plan/kernel_shape.h"
#include "codegen/kernel/text/plan_lines.h"
#include "codegen/kernel/text/read_chain.h"
#include "dsl/support/number_text.h"

#include <array>

namespace mpf {

namespace {
constexpr std::array kRoles = {AxisRole::Block, AxisRole::Page, AxisRole::Thread,
                               AxisRole::Register, AxisRole::Sum};
constexpr std::array kFamilies = {Family::Stream, Family::Tile, Family::Mma};
constexpr std::array kPlacements = {Placement::Shared, Placement::Bypass, Placement::Registers};

/// Reads one line after another into the plan.
class KernelReader : PlanLines {
public:
  explicit KernelReader(LineReader &lines) : PlanLines(lines) {}

  /// One plan, from the line that `lines` is at to its line 'end'.
  std::optional<KernelPlan> read();

private:
  bool readLine(const std::string &keyword);
  bool readAxis();
  bool readSegment();
  bool readShared(Segment &segment);
  bool readProduct();
  bool readMatrix();
  bool readStages();
  bool readSide();
  bool axisList(std::string_view key, std::vector<uint32_t> &axes);
  bool numberList(std::string_view key, std::vector<uint32_t> &numbers, size_t count);
  std::optional<uint32_t> axisNamed(std::string_view name) const;

  KernelPlan plan_;
};

std::optional<uint32_t> KernelReader::axisNamed(std::string_view name) const {
  for (uint32_t a = 0; a < plan_.axes.size(); ++a)
    if (plan_.axes[a].name == name)
      return a;
  return std::nullopt;
}

bool KernelReader::axisList(std::string_view key, std::vector<uint32_t> &axes) {
  return list<uint32_t>(key, axes, [&](std::string_view name) { return axisNamed(name); });
}

/// `count` numbers; 0: as many as there are.
bool KernelReader::numberList(std::string_view key, std::vector<uint32_t> &numbers, size_t count) {
  const auto word = [](std::string_view text) -> std::optional<uint32_t> {
    const auto value = parseUnsigned(text);
    return value && *value < UINT32_MAX ? std::optional(static_cast<uint32_t>(*value))
                                        : std::nullopt;
  };
  if (!list<uint32_t>(key, numbers, word))
    return false;
  return count == 0 || numbers.size() == count || wrong(fmt::format("{} numbers", count));
}

bool KernelReader::readAxis() {
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

bool KernelReader::readSegment() {
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

bool KernelReader::readShared(Segment &segment) {
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

bool KernelReader::readProduct() {
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

bool KernelReader::readMatrix() {
  if (plan_.matrix)
    return wrong("one matrix line");
  MatrixPlan &matrix = plan_.matrix.emplace();
  std::vector<uint32_t> instruction;
  const size_t digits = plan_.form.digits.size();
  if (!digitList("batch", digits, matrix.batch) || !digitList("terms", digits, matrix.terms) ||
      !numberList("instruction", instruction, 3))
    return false;
  matrix.instruction = {instruction[0], instruction[1], instruction[2]};
  return number("chunk", UINT32_MAX, matrix.chunk) && number("stages", 64, matrix.stages) &&
         number("raster", UINT32_MAX, matrix.raster) &&
         readYesNo("persistent", matrix.persistent) &&
         readYesNo("runs_ahead", matrix.doubleBufferedFragments);
}

bool KernelReader::readSide() {
  if (!plan_.matrix)
    return wrong("a matrix line before its sides");
  const auto sideName = [](bool columns) { return columns ? "columns" : "rows"; };
  bool columns = false;
  if (!choose(std::array{false, true}, sideName, "rows or columns", columns))
    return false;
  MatrixSide &side = columns ? plan_.matrix->columns : plan_.matrix->rows;
  side = {};
  const auto direction = [](bool terms) { return terms ? "along=terms" : "along=side"; };
  std::vector<uint32_t> strides;
  if (!digitList("digits", plan_.form.digits.size(), side.digits) ||
      !numberList("operands", side.operands, 0) || !number("tile", UINT32_MAX, side.tile) ||
      !number("warps", UINT32_MAX, side.warps) ||
      !choose(std::array{false, true}, direction, "along=terms or along=side", side.alongTerms) ||
      !number("fragment_vector", 64, side.fragmentVector) ||
      !number("fetch_vector", 64, side.fetchVector) || !numberList("strides_elems", strides, 3))
    return false;
  side.sideStride = strides[0];
  side.termStride = strides[1];
  side.groupStride = strides[2];
  return number("allocated_elems", UINT32_MAX, side.allocatedElems) &&
         number("offset_elems", UINT32_MAX, side.offsetElems) &&
         readYesNo("conflict_free", side.conflictFree) && readYesNo("stationary", side.stationary);
}

bool KernelReader::readStages() {
  const auto stages = lines_.takeUnsigned("the number of stages", 64);
  if (stages)
    plan_.stages = static_cast<uint32_t>(*stages);
  return stages.has_value();
}

bool KernelReader::readLine(const std::string &keyword) {
  if (keyword == "family")
    return choose(kFamilies, familyName, "stream, tile or mma", plan_.family);
  if (keyword == "semiring")
    return readSemiring(plan_.form.semiring);
  if (keyword == "values")
    return readValues(plan_.valueForm, plan_.type);
  if (keyword == "logsum")
    return choose(std::array{LogSum::Running, LogSum::SplitLoads, LogSum::SplitTerms}, logSumName,
                  "running, split-loads or split-terms", plan_.logSum);
  if (keyword == "stages")
    return readStages();
  if (keyword == "digit")
    return readDigit(plan_.form.digits);
  if (keyword == "operand") {
    if (plan_.form.operands.size() == kMaxOperands)
      return wrong(fmt::format("at most {} operands", kMaxOperands));
    plan_.form.operands.emplace_back();
    return readAccess(plan_.form.operands.back());
  }
  if (keyword == "result")
    return readAccess(plan_.form.result = {});
  if (keyword == "axis")
    return readAxis();
  if (keyword == "segment")
    return readSegment();
  if (keyword == "product")
    return readProduct();
  if (keyword == "matrix")
    return readMatrix();
  if (keyword == "side")
    return readSide();
  if (keyword == "store")
    return number("vector", 64, plan_.storeVector);
  if (keyword == "index")
    return readIndex(plan_.indexWidth);
  if (keyword == "launch")
    return readLaunch(plan_.launch);
  if (keyword == "cost")
    return readCost(plan_.costTerms);
  if (keyword == "predicted")
    return readPredicted(plan_.predictedUs, plan_.floorUs);
  return wrong("a line of a kernel plan (family, digit, axis, segment, ...) or end");
}

std::optional<KernelPlan> KernelReader::read() {
  if (lines_.keyword().text != "kernel") {
    wrong("a kernel plan or a chain plan");
    return std::nullopt;
  }
  if (!readPlan(plan_.name, [this](const std::string &keyword) { return readLine(keyword); }))
    return std::nullopt;
  return std::move(plan_);
}

/// A plan of either kind.
std::optional<AnyKernelPlan> readAny(LineReader &lines) {
  if (lines.keyword().text == "chain")
    return readChain(lines);
  return KernelReader(lines).read();
}
} // namespace

std::optional<std::vector<ReadKernel>> readKernels(std::shared_ptr<const SourceBuffer> source,
                                                   Diagnostics &diagnostics) {
  const size_t errors = diagnostics.errorCount();
  LineReader lines(std::move(source), diagnostics);
  std::vector<ReadKernel> kernels;
  while (lines.next()) {
    const SourcePlace place = lines.here();
    auto plan = readAny(lines);
    if (!plan)
      return std::nullopt;
    kernels.push_back({std::move(*plan), place});
  }
  if (kernels.empty())
    diagnostics.error(lines.here(), "expected a kernel plan or a chain plan");
  if (diagnostics.errorCount() != errors) // such as quotes that do not end, seen while splitting
    return std::nullopt;
  return kernels;
}

} // namespace mpf
