#include "codegen/emit/matrix/matrix_product.h"

#include "codegen/emit/matrix/matrix_names.h"
#include "codegen/emit/nest/op_emitter.h"
#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

MatrixProductEmitter::MatrixProductEmitter(const MatrixPlan &plan, CodeWriter &out,
                                           SiteTable &sites)
    : plan_(plan), element_(entryTypeText(plan.type)),
      groups_(std::max<uint64_t>(1, plan_.instruction.terms / 8)), out_(out) {
  MPF_CHECK(warpTile(plan.rows) % 16 == 0 && warpTile(plan.columns) % 16 == 0,
            "warps of {} x {} results are no whole units", warpTile(plan.rows),
            warpTile(plan.columns));
  rowsSite_ = sites.add(SiteKind::SharedLoad, "segment rows", plan_.rows.conflictFree);
  columnsSite_ = sites.add(SiteKind::SharedLoad, "segment columns", plan_.columns.conflictFree);
}

void MatrixProductEmitter::close(int count) {
  for (int i = 0; i < count; ++i)
    out_.close();
}

void MatrixProductEmitter::declare() {
  out_.text("// fragments");
  declareSegment(plan_.rows, "rows", "warpRow");
  declareSegment(plan_.columns, "columns", "warpColumn");
  out_.line("{} acc[{}][{}][2][4];", element_, rowUnits(), columnUnits());
  openUnrolled(out_, "row", rowUnits());
  openUnrolled(out_, "column", columnUnits());
  openUnrolled(out_, "half", 2);
  openUnrolled(out_, "i", 4);
  out_.text("acc[row][column][half][i] = 0;");
  close(4);
}

void MatrixProductEmitter::declareSegment(const MatrixSide &side, const char *name,
                                          const char *warp) {
  const std::string place = sumText(
      {timesText(fmt::format("({} + {})", warp, isInterleaved(side) ? "2 * octet" : "octet"),
                 side.sideStride),
       timesText("quad", side.termStride)});
  out_.line("const {} *const {}Seg = shared + ({});", element_, name,
            sumText({std::to_string(side.offsetElems), place}));
}

void MatrixProductEmitter::declareFragments(uint32_t parities) {
  const std::string index = parities == 0 ? "" : fmt::format("[{}]", parities);
  out_.line("{0} rowsHeld{1}[{2}][{3}], columnsHeld{1}[{4}][2][{5}];", element_, index, rowUnits(),
            4 * groups_, columnUnits(), 2 * groups_);
}

std::string MatrixProductEmitter::stageText(const MatrixSide &side, const std::string &stage) {
  return timesText(stage, side.allocatedElems);
}

/// Declares pointers for the page. Fragments then differ by constants, which fit the offset of an
/// instruction. Without the pointers the compiler would have to compute each address, because
/// unsigned sums may wrap around.
void MatrixProductEmitter::declarePage(const std::string &suffix, const std::string &stage,
                                       const std::string &page) {
  for (const MatrixSide *side : {&plan_.rows, &plan_.columns}) {
    const std::string name = side == &plan_.rows ? "rows" : "columns";
    out_.line("const {} *const {}{} = {};", element_, name, suffix,
              sumText({name + "Seg", stageText(*side, side->stationary ? page : stage)}));
  }
}

void MatrixProductEmitter::load(const std::string &suffix, const std::string &step,
                                const std::string &parity) {
  const auto lifted = [&](const char *side) {
    return takesHalves() ? fmt::format(" * {}Factor", side) : std::string();
  };
  openUnrolled(out_, "group", groups_);
  openUnrolled(out_, "row", rowUnits());
  openUnrolled(out_, "pick", 2);
  loadHalves(plan_.rows, "rows" + suffix, step, "row", rowsSite_);
  out_.line("rowsHeld{}[row][4 * group + 2 * pick] = halves[0]{};", parity, lifted("rows"));
  out_.line("rowsHeld{}[row][4 * group + 2 * pick + 1] = halves[1]{};", parity, lifted("rows"));
  close(2);
  openUnrolled(out_, "column", columnUnits());
  openUnrolled(out_, "pick", 2);
  loadHalves(plan_.columns, "columns" + suffix, step, "column", columnsSite_);
  out_.line("columnsHeld{}[column][0][2 * group + pick] = halves[0]{};", parity, lifted("columns"));
  out_.line("columnsHeld{}[column][1][2 * group + pick] = halves[1]{};", parity, lifted("columns"));
  close(3);
}

/// Loads both halves of a unit at one term: by one load if they are neighbours in the segment, else
/// by two.
void MatrixProductEmitter::loadHalves(const MatrixSide &side, const std::string &page,
                                      const std::string &step, const char *unit, uint32_t site) {
  const std::string four = groups_ == 1
                               ? sumText({timesText(step, 2), "pick"})
                               : sumText({timesText(step, 2 * groups_), "2 * group", "pick"});
  const std::string at = sumText({timesText(fmt::format("({})", four), side.groupStride),
                                  timesText(unit, 16 * side.sideStride)});
  out_.line("{} halves[2];", element_);
  if (isInterleaved(side)) {
    out_.line("mpfUnpack(halves, MPF_LD({}, MPF_VEC(const {}2, {}[{}])));", site, element_, page,
              at);
    return;
  }
  openUnrolled(out_, "half", 2);
  out_.line("halves[half] = MPF_LD({}, {}[{} + half * {}]);", site, page, at, 8 * side.sideStride);
  out_.close();
}

void MatrixProductEmitter::multiply(const std::string &parity) {
  if (takesHalves()) // each part of all products in turn, so that no instruction waits for its sum
    openUnrolled(out_, "part", 3);
  openUnrolled(out_, "row", rowUnits());
  openUnrolled(out_, "column", columnUnits());
  openUnrolled(out_, "half", 2);
  if (takesHalves())
    out_.line(
        "mpfMmaPart(part, acc[row][column][half], rowsHeld{0}[row], columnsHeld{0}[column][half]);",
        parity);
  else
    out_.line("MpfMma<{0}, {1}>::run(acc[row][column][half], rowsHeld{2}[row], "
              "columnsHeld{2}[column][half]);",
              plan_.instruction.rows, plan_.instruction.terms, parity);
  close(takesHalves() ? 4 : 3);
}

} // namespace mpf
