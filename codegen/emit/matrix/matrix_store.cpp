#include "codegen/emit/matrix/matrix_store.h"

#include "codegen/emit/matrix/matrix_names.h"
#include "codegen/emit/nest/kernel_frame.h"
#include "codegen/emit/nest/underflow_recompute.h"
#include "dsl/support/check.h"

namespace mpf {

MatrixStoreEmitter::MatrixStoreEmitter(const MatrixPlan &plan, std::string rescale, CodeWriter &out,
                                       SiteTable &sites)
    : plan_(plan), store_(matrixStore(plan)), counts_(matrixCounts(plan)),
      rescale_(std::move(rescale)), ops_(plan, plan.form), index_(indexTypeText(plan)),
      rowStep_(isInterleaved(plan_.rows) ? 2 : 1), out_(out) {
  MPF_CHECK(store_.lanes > 0 && 32 % store_.lanes == 0 && 8 % (32 / store_.lanes) == 0,
            "{} lanes along a row, eight rows at a time", store_.lanes);
  const auto rows = fusedParts(plan.form, plan_.rows.digits, plan.form.result);
  if (isLinear(rows))
    rowStride_ = rows.empty() ? 0 : rows.front().stride;
  stageSite_ = sites.add(SiteKind::SharedStore, "staged result", store_.conflictFree);
  readSite_ = sites.add(SiteKind::SharedLoad, "staged result", store_.conflictFree);
  resultSite_ = sites.add(SiteKind::GlobalStore, "result");
  if (!ops_.sumsMantissas)
    return;
  for (uint32_t i = 0; i < plan.form.operands.size(); ++i)
    operandSites_.push_back(
        sites.add(SiteKind::GlobalLoad, fmt::format("operand {}", operandName(i))));
  markSite_ = sites.add(SiteKind::GlobalLoad, "result");
  againSite_ = sites.add(SiteKind::GlobalStore, "result");
}

std::string MatrixStoreEmitter::vectorText(uint32_t width) const {
  return fmt::format("{}{}", ops_.type, width);
}

void MatrixStoreEmitter::write() {
  out_.text("// result");
  beginStores(out_);
  declare();
  if (ops_.sumsMantissas) {
    out_.text("MpfScaledLogSums sums = MpfScaledLogSums::empty();");
    out_.text("bool lost = false;");
  }
  openUnrolled(out_, "unit", warpTile(plan_.rows) / 16);
  openUnrolled(out_, "half", 2);
  stage();
  out_.text("__syncwarp();");
  storeRows();
  out_.text("__syncwarp();");
  out_.close();
  out_.close();
  if (ops_.sumsMantissas)
    formAgain();
}

/// Declares the lane's place. Its columns are the same for all rows.
void MatrixStoreEmitter::declare() {
  if (!plan_.persistent)
    out_.text("__syncthreads(); // the pages have been read");
  out_.line("{} *const staged = shared + ({});", ops_.type,
            sumText({std::to_string(store_.offsetElems),
                     timesText("threadIdx.x / 32", store_.warpElems)}));
  out_.line("const unsigned laneRow = threadIdx.x % 32 / {}, laneColumn = {};", store_.lanes,
            timesText(fmt::format("threadIdx.x % {}", store_.lanes), plan_.storeVector));
  out_.line("{} columns[{}];", index_, store_.slots);
  out_.line("{} *resultAt[{}];", ops_.type, store_.slots);
  openUnrolled(out_, "slot", store_.slots);
  out_.line("columns[slot] = columnBase + warpColumn + laneColumn + slot * {};",
            store_.lanes * plan_.storeVector);
  const DigitAccess &result = plan_.form.result;
  const std::string firstRow =
      rowStride_
          ? timesText(fmt::format("(rowBase + warpRow + {})", timesText("laneRow", rowStep_)),
                      *rowStride_)
          : "0";
  out_.line(
      "resultAt[slot] = {};",
      sumText({"result",
               fmt::format("({})",
                           sumText({fusedText(fusedParts(plan_.form, plan_.batch, result), "batch"),
                                    firstRow,
                                    fusedText(fusedParts(plan_.form, plan_.columns.digits, result),
                                              "columns[slot]")}))}));
  out_.close();
}

/// Writes the rows to shared memory. Neighbouring columns of a lane are both picks of a half, or
/// both halves of both picks.
void MatrixStoreEmitter::stage() {
  openUnrolled(out_, "across", warpTile(plan_.columns) / 16);
  const bool interleaved = isInterleaved(plan_.columns);
  const auto put = [&](uint32_t width, const std::string &column) {
    out_.line("MPF_ST({}, MPF_VEC({}, staged[octet * {} + across * 16 + {}]), "
              "mpfPack<{}>(entries));",
              stageSite_, vectorText(width), store_.strideElems, column, vectorText(width));
  };
  if (interleaved && plan_.type == ElementType::F32) {
    out_.line("{} entries[4];", ops_.type);
    openUnrolled(out_, "i", 4);
    out_.text("entries[i] = acc[unit][across][i % 2][2 * half + i / 2];");
    out_.close();
    put(4, "4 * quad");
    out_.close();
    return;
  }
  openUnrolled(out_, "part", 2);
  if (interleaved) {
    out_.line("const {} entries[2] = {{acc[unit][across][0][2 * half + part], "
              "acc[unit][across][1][2 * half + part]}};",
              ops_.type);
    put(2, "4 * quad + 2 * part");
  } else {
    out_.line("const {} entries[2] = {{acc[unit][across][part][2 * half], "
              "acc[unit][across][part][2 * half + 1]}};",
              ops_.type);
    put(2, "part * 8 + 2 * quad");
  }
  out_.close();
  out_.close();
}

/// Returns the row of the warp that a turn stores, times `stride`. It is a constant after loops are
/// unrolled.
std::string MatrixStoreEmitter::turnText(uint64_t stride, const char *literal) const {
  const uint64_t half = rowStep_ == 2 ? 1 : 8, turn = rowStep_ * (32 / store_.lanes);
  return fmt::format("unit * {1}{0} + half * {2}{0} + turn * {3}{0}", literal, 16 * stride,
                     half * stride, turn * stride);
}

std::string MatrixStoreEmitter::rowText() const {
  return sumText({timesText("laneRow", rowStep_), turnText(1, "")});
}

void MatrixStoreEmitter::storeRows() {
  const uint64_t atOnce = 32 / store_.lanes;
  openUnrolled(out_, "turn", 8 / atOnce);
  if (!rowStride_ || isRagged(plan_, plan_.rows))
    out_.line("const {} row = rowBase + warpRow + {};", index_, rowText());
  if (rowStride_)
    out_.line("const long long rowOffset = {};", turnText(*rowStride_, "ll"));
  else
    out_.line("const {} rowOffset = {};", index_,
              fusedText(fusedParts(plan_.form, plan_.rows.digits, plan_.form.result), "row"));
  openUnrolled(out_, "slot", store_.slots);
  out_.open(guard("columns[slot]"));
  const uint32_t width = plan_.storeVector;
  const std::string row = atOnce == 1 ? "turn" : fmt::format("(turn * {} + laneRow)", atOnce);
  const std::string at = fmt::format("staged[{} * {} + laneColumn + slot * {}]", row,
                                     store_.strideElems, store_.lanes * width);
  out_.line("{} entries[{}];", ops_.type, width);
  if (width == 1)
    out_.line("entries[0] = MPF_LD({}, {});", readSite_, at);
  else
    out_.line("mpfUnpack(entries, MPF_LD({}, MPF_VEC(const {}, {})));", readSite_,
              vectorText(width), at);
  openUnrolled(out_, "i", width);
  makeEntry();
  out_.close();
  if (width == 1)
    out_.line("MPF_ST({}, resultAt[slot][rowOffset], entries[0]);", resultSite_);
  else
    out_.line("MPF_ST_WIDE({}, MPF_VEC({}, resultAt[slot][rowOffset]), mpfPack<{}>(entries));",
              resultSite_, vectorText(width), vectorText(width));
  out_.close();
  out_.close();
  out_.close();
}

/// Converts the accumulator entries[i] to the result's entry.
void MatrixStoreEmitter::makeEntry() {
  if (!ops_.sumsMantissas) {
    out_.line("entries[i] = {}(entries[i]);", rescale_);
    out_.text("range.add(entries[i]);");
    return;
  }
  out_.text("const bool below = mpfLeadingWord(entries[i]) < limit;");
  out_.text("lost |= below;");
  out_.text("if (!below)");
  out_.text("  sums.add(entries[i]);");
  out_.line("entries[i] = below ? mpfMantissaMark<{}>(limit) : mpfLog2Plus(entries[i], offset);",
            ops_.type);
}

/// Recomputes entries that are marked, term by term, in the thread that stored them
/// (underflow_recompute.h does so in loop nests).
void MatrixStoreEmitter::formAgain() {
  const auto rolled = [&](const char *index, uint64_t count) {
    openRolled(out_, index_, index, count);
  };
  const auto offset = [&](const DigitAccess &access) {
    return offsetText(plan_.form, access,
                      {{plan_.batch, "batch"},
                       {plan_.rows.digits, "row"},
                       {plan_.columns.digits, "column"},
                       {plan_.terms, "term"}});
  };
  MPF_CHECK(operandSites_.size() == plan_.form.operands.size(), "{} sites for {} operands",
            operandSites_.size(), plan_.form.operands.size());
  out_.text("range.add(sums, offset);");
  out_.line("// sums below the guard again, term by term");
  out_.open(fmt::format("if (lost && mpfIsGuard<{}>(limit))", ops_.type));
  rolled("unit", warpTile(plan_.rows) / 16);
  rolled("half", 2);
  rolled("turn", 8 / (32 / store_.lanes));
  rolled("slot", store_.slots);
  rolled("i", plan_.storeVector);
  out_.line("const {} row = rowBase + warpRow + {};", index_, rowText());
  out_.line("const {} column = columnBase + warpColumn + laneColumn + slot * {} + i;", index_,
            store_.lanes * plan_.storeVector);
  out_.open(guard("column"));
  out_.line("{} *const again = result + ({});", ops_.type, offset(plan_.form.result));
  out_.open(fmt::format("if (MPF_LD({}, *again) == mpfInfinity<{}>())", markSite_, ops_.type));
  std::vector<std::string> logarithms;
  for (uint32_t i = 0; i < plan_.form.operands.size(); ++i)
    logarithms.push_back(
        againLogarithm(ops_, operandSites_[i], operandName(i), offset(plan_.form.operands[i])));
  writeTermsAgain(
      ops_, logarithms, againSite_,
      [&] {
        rolled("term", counts_.terms);
        return size_t{1};
      },
      out_);
  for (int i = 0; i < 8; ++i)
    out_.close();
}

std::string MatrixStoreEmitter::guard(const std::string &column) const {
  std::string text;
  if (isRagged(plan_, plan_.rows))
    text = fmt::format("row < {}", counts_.rows);
  if (isRagged(plan_, plan_.columns))
    text += fmt::format("{}{} < {}", text.empty() ? "" : " && ", column, counts_.columns);
  return text.empty() ? "" : fmt::format("if ({})", text);
}

} // namespace mpf
