#include "codegen/kernel/read_kernel.h"

#include "codegen/kernel/kernel_shape.h"
#include "dsl/source/line_reader.h"
#include "dsl/support/number_text.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

namespace mpf {

namespace {
constexpr size_t kMaxEntries = 1024; ///< digits, axes, list items: far above any real plan
const char *yesNo(bool yes) { return yes ? "conflict_free=yes" : "conflict_free=no"; }
constexpr std::array kRoles = {AxisRole::Block, AxisRole::Page, AxisRole::Thread,
                               AxisRole::Register, AxisRole::Sum};
constexpr std::array kFamilies = {Family::Stream, Family::Tile, Family::Mma};
constexpr std::array kPlacements = {Placement::Shared, Placement::Bypass, Placement::Registers};

/// Reads one line after another into the plan. A member function returns false once something was
/// reported; the rest of the text is then not looked at.
class KernelReader {
public:
  explicit KernelReader(LineReader &lines) : lines_(lines) {}

  /// One plan, from the line that `lines` is at to its line 'end'.
  std::optional<ReadKernel> read();

private:
  bool readLine(const std::string &keyword);
  bool readDigit();
  bool readAccess(DigitAccess &access);
  bool readAxis();
  bool readSegment();
  bool readShared(Segment &segment);
  bool readProduct();
  bool readMatrix();
  bool readSide();
  bool readLaunch();
  bool readCost();

  /// Finds `text` among the names of `choices`, else reports what was expected.
  template <class Choice, size_t N, class NameOf>
  bool choose(const std::array<Choice, N> &choices, NameOf nameOf, std::string_view what,
              Choice &chosen);
  template <class Number> bool number(std::string_view key, uint64_t max, Number &value);
  template <class Item>
  bool list(std::string_view key, std::vector<Item> &items,
            const std::function<std::optional<Item>(std::string_view)> &item);
  bool axisList(std::string_view key, std::vector<uint32_t> &axes);
  bool digitList(std::string_view key, std::vector<DigitId> &digits);
  bool numberList(std::string_view key, std::vector<uint32_t> &numbers, size_t count);
  std::optional<uint32_t> axisNamed(std::string_view name) const;
  bool wrong(std::string_view what) {
    lines_.diagnostics().error(lines_.here(), "expected {}", what);
    return false;
  }

  LineReader &lines_;
  KernelPlan plan_;
};

template <class Choice, size_t N, class NameOf>
bool KernelReader::choose(const std::array<Choice, N> &choices, NameOf nameOf,
                          std::string_view what, Choice &chosen) {
  const auto word = lines_.takeWord(what);
  if (!word)
    return false;
  for (Choice choice : choices)
    if (nameOf(choice) == *word) {
      chosen = choice;
      return true;
    }
  return wrong(what);
}

template <class Number>
bool KernelReader::number(std::string_view key, uint64_t max, Number &value) {
  const auto read = lines_.takeUnsignedKey(key, max);
  if (read)
    value = static_cast<Number>(*read);
  return read.has_value();
}

template <class Item>
bool KernelReader::list(std::string_view key, std::vector<Item> &items,
                        const std::function<std::optional<Item>(std::string_view)> &item) {
  const auto text = lines_.takeKey(key);
  if (!text)
    return false;
  if (*text == "-")
    return true;
  for (size_t begin = 0; begin <= text->size();) {
    const size_t end = std::min(text->find(',', begin), text->size());
    const auto value = item(std::string_view(*text).substr(begin, end - begin));
    if (!value || items.size() == kMaxEntries)
      return wrong(fmt::format("a list after {}=", key));
    items.push_back(*value);
    begin = end + 1;
  }
  return true;
}

std::optional<uint32_t> KernelReader::axisNamed(std::string_view name) const {
  for (uint32_t a = 0; a < plan_.axes.size(); ++a)
    if (plan_.axes[a].name == name)
      return a;
  return std::nullopt;
}

bool KernelReader::axisList(std::string_view key, std::vector<uint32_t> &axes) {
  return list<uint32_t>(key, axes, [&](std::string_view name) { return axisNamed(name); });
}

bool KernelReader::digitList(std::string_view key, std::vector<DigitId> &digits) {
  return list<DigitId>(key, digits, [&](std::string_view text) -> std::optional<DigitId> {
    const auto id = parseUnsigned(text);
    return id && *id < plan_.form.digits.size() ? std::optional(DigitId(static_cast<uint32_t>(*id)))
                                                : std::nullopt;
  });
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

bool KernelReader::readDigit() {
  Digit digit;
  uint64_t index = 0;
  const auto kept = [](bool reduced) { return reduced ? "reduced" : "kept"; };
  const auto variable = [](std::string_view text) -> std::optional<VarId> {
    const auto id = parseUnsigned(text);
    return id && *id < UINT32_MAX ? std::optional(VarId(*id)) : std::nullopt;
  };
  if (const auto read = lines_.takeUnsigned("the digit's number", kMaxEntries))
    index = *read;
  else
    return false;
  if (index != plan_.form.digits.size())
    return wrong(fmt::format("digit {}", plan_.form.digits.size()));
  if (!choose(std::array{false, true}, kept, "kept or reduced", digit.reduced) ||
      !number("extent", UINT64_MAX, digit.extent) ||
      !list<VarId>("variables", digit.variables, variable))
    return false;
  plan_.form.digits.push_back(std::move(digit));
  return true;
}

bool KernelReader::readAccess(DigitAccess &access) {
  return number("table", UINT32_MAX, access.table.value) &&
         number("size_elems", UINT64_MAX, access.sizeElems) &&
         list<uint64_t>("strides_elems", access.stridesElems, parseUnsigned);
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
  const auto part = [&](std::string_view text) -> std::optional<FetchPart> {
    const size_t first = text.find(':'), second = text.find(':', first + 1);
    if (first == text.npos || second == text.npos)
      return std::nullopt;
    const auto axis = axisNamed(text.substr(0, first));
    const auto extent = parseUnsigned(text.substr(first + 1, second - first - 1));
    const auto step = parseUnsigned(text.substr(second + 1));
    if (!axis || !extent || !step)
      return std::nullopt;
    return FetchPart{*axis, *extent, *step};
  };
  return list<uint64_t>("strides_elems", segment.stridesElems, parseUnsigned) &&
         number("allocated_elems", UINT64_MAX, segment.allocatedElems) &&
         number("offset_elems", UINT64_MAX, segment.offsetElems) &&
         list<FetchPart>("fetch", segment.fetchParts, part) &&
         number("fetch_vector", 64, segment.fetchVector) &&
         choose(std::array{false, true}, yesNo, "conflict_free=yes or conflict_free=no",
                segment.conflictFree);
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
  if (!digitList("batch", matrix.batch) || !digitList("terms", matrix.terms) ||
      !numberList("instruction", instruction, 3))
    return false;
  matrix.instruction = {instruction[0], instruction[1], instruction[2]};
  return number("chunk", UINT32_MAX, matrix.chunk) && number("stages", 64, matrix.stages) &&
         number("raster", UINT32_MAX, matrix.raster);
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
  if (!digitList("digits", side.digits) || !numberList("operands", side.operands, 0) ||
      !number("tile", UINT32_MAX, side.tile) || !number("warps", UINT32_MAX, side.warps) ||
      !choose(std::array{false, true}, direction, "along=terms or along=side", side.alongTerms) ||
      !number("fragment_vector", 64, side.fragmentVector) ||
      !number("fetch_vector", 64, side.fetchVector) || !numberList("strides_elems", strides, 3))
    return false;
  side.sideStride = strides[0];
  side.termStride = strides[1];
  side.groupStride = strides[2];
  return number("allocated_elems", UINT32_MAX, side.allocatedElems) &&
         number("offset_elems", UINT32_MAX, side.offsetElems) &&
         choose(std::array{false, true}, yesNo, "conflict_free=yes or conflict_free=no",
                side.conflictFree);
}

bool KernelReader::readLaunch() {
  return number("grid_blocks", UINT64_MAX, plan_.launch.gridBlocks) &&
         number("block_threads", UINT32_MAX, plan_.launch.blockThreads) &&
         number("shared_bytes", UINT32_MAX, plan_.launch.sharedBytes) &&
         number("min_blocks_per_sm", UINT32_MAX, plan_.launch.minBlocksPerSm) &&
         number("estimated_registers", UINT32_MAX, plan_.launch.estimatedRegisters);
}

bool KernelReader::readCost() {
  const auto name = lines_.takeWord("the cost term's name");
  const auto time = name ? lines_.takeDoubleKey("time_us") : std::nullopt;
  if (!time || plan_.costTerms.size() == kMaxEntries)
    return time.has_value() && wrong("fewer cost terms");
  plan_.costTerms.push_back({*name, *time});
  return true;
}

bool KernelReader::readLine(const std::string &keyword) {
  if (keyword == "family")
    return choose(kFamilies, familyName, "stream, tile or mma", plan_.family);
  if (keyword == "semiring") {
    const auto name = lines_.takeWord("a semiring");
    const auto semiring = name ? semiringNamed(*name) : std::nullopt;
    plan_.form.semiring = semiring.value_or(Semiring{});
    return semiring.has_value() || (name && wrong("a semiring such as sum-product"));
  }
  if (keyword == "values") {
    const auto form = [](ValueForm f) { return f == ValueForm::Linear ? "linear" : "log"; };
    const auto type = [](ElementType t) { return t == ElementType::F32 ? "f32" : "f64"; };
    return choose(std::array{ValueForm::Linear, ValueForm::Log}, form, "linear or log",
                  plan_.valueForm) &&
           choose(std::array{ElementType::F32, ElementType::F64}, type, "f32 or f64", plan_.type);
  }
  if (keyword == "digit")
    return readDigit();
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
  if (keyword == "index") {
    const auto bits = [](IndexWidth w) { return w == IndexWidth::Bits32 ? "bits=32" : "bits=64"; };
    return choose(std::array{IndexWidth::Bits32, IndexWidth::Bits64}, bits, "bits=32 or bits=64",
                  plan_.indexWidth);
  }
  if (keyword == "launch")
    return readLaunch();
  if (keyword == "cost")
    return readCost();
  if (keyword == "predicted") {
    const auto predicted = lines_.takeDoubleKey("time_us");
    const auto floor = predicted ? lines_.takeDoubleKey("floor_us") : std::nullopt;
    plan_.predictedUs = predicted.value_or(0);
    plan_.floorUs = floor.value_or(0);
    return floor.has_value();
  }
  return wrong("a line of a kernel plan (family, digit, axis, segment, ...) or end");
}

std::optional<ReadKernel> KernelReader::read() {
  const SourcePlace place = lines_.here();
  if (lines_.keyword().text != "kernel") {
    wrong("a kernel plan");
    return std::nullopt;
  }
  const auto name = lines_.takeWord("the kernel's name");
  if (!name || !lines_.expectEndOfLine())
    return std::nullopt;
  plan_.name = *name;
  while (lines_.next()) {
    const std::string keyword = lines_.keyword().text;
    if (keyword == "end")
      return lines_.expectEndOfLine() ? std::optional(ReadKernel{std::move(plan_), place})
                                      : std::nullopt;
    if (!readLine(keyword) || !lines_.expectEndOfLine())
      return std::nullopt;
  }
  wrong("end");
  return std::nullopt;
}
} // namespace

std::optional<std::vector<ReadKernel>> readKernels(std::shared_ptr<const SourceBuffer> source,
                                                   Diagnostics &diagnostics) {
  const size_t errors = diagnostics.errorCount();
  LineReader lines(std::move(source), diagnostics);
  std::vector<ReadKernel> kernels;
  while (lines.next()) {
    auto kernel = KernelReader(lines).read();
    if (!kernel)
      return std::nullopt;
    kernels.push_back(std::move(*kernel));
  }
  if (kernels.empty())
    diagnostics.error(lines.here(), "expected a kernel plan");
  if (diagnostics.errorCount() != errors) // such as quotes that do not end, seen while splitting
    return std::nullopt;
  return kernels;
}

} // namespace mpf
