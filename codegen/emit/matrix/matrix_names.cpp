#include "codegen/emit/matrix/matrix_names.h"

#include "codegen/emit/nest/kernel_frame.h"
#include "dsl/support/check.h"

namespace mpf {

const char *indexTypeText(const MatrixPlan &plan) {
  return plan.indexWidth == IndexWidth::Bits32 ? "unsigned" : "unsigned long long";
}

void openUnrolled(CodeWriter &out, const char *index, uint64_t count) {
  out.directive("#pragma unroll");
  out.open(fmt::format("for (int {0} = 0; {0} < {1}; ++{0})", index, count));
}

std::string timesText(const std::string &index, uint64_t factor) {
  if (factor == 0 || index == "0")
    return "0";
  return factor == 1 ? index : fmt::format("{} * {}", index, factor);
}

std::string sumText(const std::vector<std::string> &addends) {
  std::string text;
  for (const std::string &addend : addends)
    if (addend != "0")
      text += (text.empty() ? "" : " + ") + addend;
  return text.empty() ? "0" : text;
}

std::string fusedText(const std::vector<FusedPart> &parts, const std::string &index) {
  std::vector<std::string> addends;
  for (size_t i = parts.size(); i-- > 0;) {
    MPF_CHECK(parts[i].divisor > 0, "part {} of {} divides {} by 0", i, parts.size(), index);
    std::string value = index;
    if (parts[i].divisor > 1)
      value += fmt::format(" / {}", parts[i].divisor);
    if (parts[i].modulus != 0)
      value += fmt::format(" % {}", parts[i].modulus);
    addends.push_back(timesText(value, parts[i].stride));
  }
  return sumText(addends);
}

std::string offsetText(const DigitForm &form, const DigitAccess &access,
                       std::initializer_list<FusedIndex> indices) {
  std::vector<std::string> addends;
  for (const FusedIndex &fused : indices)
    addends.push_back(fusedText(fusedParts(form, fused.digits, access), fused.index));
  return sumText(addends);
}

namespace {
std::string digitsText(const std::vector<DigitId> &digits) {
  std::string text;
  for (DigitId digit : digits)
    text += fmt::format("{}d{}", text.empty() ? "" : " ", digit);
  return text.empty() ? "none" : text;
}

void writeSide(const MatrixPlan &plan, const MatrixSide &side, const char *name, CodeWriter &out) {
  std::string product;
  for (uint32_t operand : side.operands)
    product += fmt::format("{}{}", product.empty() ? "" : " * ", operandName(operand));
  out.line("//   {}: {} ({}), {} of {} in a page by {} warps, {}, {} by {} along {}", name,
           digitsText(side.digits), product, side.tile, fusedExtent(plan.form, side.digits),
           side.warps, isFormed(plan, side) ? "formed" : "copied", "fetched", side.fetchVector,
           side.alongTerms ? "terms" : "them");
}
} // namespace

void writeMatrixComment(const MatrixPlan &plan, CodeWriter &out) {
  const MatrixCounts counts = matrixCounts(plan);
  out.line("// mma: result = [{}] rows * columns, m{}n{}k{}", semiringName(plan.form.semiring),
           plan.instruction.rows, plan.instruction.columns, plan.instruction.terms);
  out.line("//   batch: {} ({})", digitsText(plan.batch), counts.batches);
  writeSide(plan, plan.rows, "rows", out);
  writeSide(plan, plan.columns, "columns", out);
  out.line("//   terms: {} ({}), {} pages of {}, {} stages{}{}{}", digitsText(plan.terms),
           counts.terms, counts.pages, plan.chunk, plan.stages,
           plan.doubleBufferedFragments ? ", fragments a step ahead" : "",
           plan.persistent ? ", blocks go from tile to tile" : "",
           plan.rows.stationary      ? ", rows stay"
           : plan.columns.stationary ? ", columns stay"
                                     : "");
}

void writeTiles(const MatrixPlan &plan, const std::string &type, const std::string &block,
                CodeWriter &out) {
  const MatrixCounts counts = matrixCounts(plan);
  const uint64_t tiles = counts.rowTiles * counts.columnTiles;
  if (counts.batches > 1)
    out.line("const {} batch = {} / {};", type, block, tiles);
  out.line("const {} tile = {}{};", type, block,
           counts.batches > 1 ? fmt::format(" % {}", tiles) : "");
  if (plan.raster >= counts.columnTiles) {
    out.line("const {} rowBase = tile / {} * {};", type, counts.columnTiles, plan.rows.tile);
    out.line("const {} columnBase = tile % {} * {};", type, counts.columnTiles, plan.columns.tile);
    return;
  }
  MPF_CHECK(plan.raster > 0, "swaths of {} tiles", plan.raster);
  const uint64_t last = counts.columnTiles % plan.raster;
  const uint64_t swathTiles = plan.raster * counts.rowTiles;
  out.line("const {} swath = tile / {}, inSwath = tile % {};", type, swathTiles, swathTiles);
  if (last == 0)
    out.line("const {} width = {};", type, plan.raster);
  else
    out.line("const {} width = swath == {} ? {} : {};", type, counts.columnTiles / plan.raster,
             last, plan.raster);
  out.line("const {} rowBase = inSwath / width * {};", type, plan.rows.tile);
  out.line("const {} columnBase = (swath * {} + inSwath % width) * {};", type, plan.raster,
           plan.columns.tile);
}

} // namespace mpf
