#include "codegen/kernel/text/read_matrix.h"

#include "codegen/kernel/text/plan_lines.h"
#include "dsl/support/number_text.h"

#include <array>

namespace mpf {

namespace {

/// Reads one line after another into the plan.
class MatrixReader : PlanLines {
public:
  explicit MatrixReader(LineReader &lines) : PlanLines(lines) {}

  /// Reads the plan behind its head, up to the line 'end'.
  std::optional<MatrixPlan> read(const PlanHead &head);

private:
  bool readLine(const std::string &keyword);
  bool readMatrix();
  bool readSide();
  bool numberList(std::string_view key, std::vector<uint32_t> &numbers, size_t count);

  MatrixPlan plan_;
  bool hasMatrix_ = false; ///< its line was there
};

/// `count` numbers; 0: as many as there are.
bool MatrixReader::numberList(std::string_view key, std::vector<uint32_t> &numbers, size_t count) {
  const auto word = [](std::string_view text) -> std::optional<uint32_t> {
    const auto value = parseUnsigned(text);
    return value && *value < UINT32_MAX ? std::optional(static_cast<uint32_t>(*value))
                                        : std::nullopt;
  };
  if (!list<uint32_t>(key, numbers, word))
    return false;
  return count == 0 || numbers.size() == count || wrong(fmt::format("{} numbers", count));
}

bool MatrixReader::readMatrix() {
  if (hasMatrix_)
    return wrong("one matrix line");
  hasMatrix_ = true;
  std::vector<uint32_t> instruction;
  const size_t digits = plan_.form.digits.size();
  if (!digitList("batch", digits, plan_.batch) || !digitList("terms", digits, plan_.terms) ||
      !numberList("instruction", instruction, 3))
    return false;
  plan_.instruction = {instruction[0], instruction[1], instruction[2]};
  return number("chunk", UINT32_MAX, plan_.chunk) && number("stages", 64, plan_.stages) &&
         number("raster", UINT32_MAX, plan_.raster) && readYesNo("persistent", plan_.persistent) &&
         readYesNo("double_buffered_fragments", plan_.doubleBufferedFragments);
}

bool MatrixReader::readSide() {
  if (!hasMatrix_)
    return wrong("a matrix line before its sides");
  const auto sideName = [](bool columns) { return columns ? "columns" : "rows"; };
  bool columns = false;
  if (!choose(std::array{false, true}, sideName, "rows or columns", columns))
    return false;
  MatrixSide &side = columns ? plan_.columns : plan_.rows;
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

bool MatrixReader::readLine(const std::string &keyword) {
  if (const std::optional<bool> form = readFormLine(keyword, plan_.form))
    return *form;
  if (keyword == "matrix")
    return readMatrix();
  if (keyword == "side")
    return readSide();
  return wrong("a line of a matrix plan (digit, operand, matrix, side, ...) or end");
}

std::optional<MatrixPlan> MatrixReader::read(const PlanHead &head) {
  plan_.name = head.name;
  if (!readBody(plan_, [this](const std::string &keyword) { return readLine(keyword); }) ||
      (!hasMatrix_ && !wrong("a matrix line")))
    return std::nullopt;
  return std::move(plan_);
}

} // namespace

std::optional<MatrixPlan> readMatrix(const PlanHead &head, LineReader &lines) {
  return MatrixReader(lines).read(head);
}

} // namespace mpf
