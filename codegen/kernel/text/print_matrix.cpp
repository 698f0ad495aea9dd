#include "codegen/kernel/text/print_matrix.h"

#include "codegen/kernel/text/plan_text.h"

namespace mpf {

using namespace plantext;

namespace {
void printSide(Text &text, const MatrixSide &side, const char *name) {
  line(text,
       "  side {} digits={} operands={} tile={} warps={} along={} fragment_vector={} "
       "fetch_vector={} strides_elems={},{},{} allocated_elems={} offset_elems={} "
       "conflict_free={} stationary={}",
       name, joined(side.digits), joined(side.operands), side.tile, side.warps,
       side.alongTerms ? "terms" : "side", side.fragmentVector, side.fetchVector, side.sideStride,
       side.termStride, side.groupStride, side.allocatedElems, side.offsetElems,
       side.conflictFree ? "yes" : "no", side.stationary ? "yes" : "no");
}
} // namespace

std::string printMatrix(const MatrixPlan &plan, const TableProgram *program) {
  Text text;
  printHead(text, plan, MatrixPlan::family, plan.form);
  printTables(text, plan.form, program);
  line(text,
       "  matrix batch={} terms={} instruction={},{},{} chunk={} stages={} raster={} persistent={} "
       "double_buffered_fragments={}",
       joined(plan.batch), joined(plan.terms), plan.instruction.rows, plan.instruction.columns,
       plan.instruction.terms, plan.chunk, plan.stages, plan.raster, plan.persistent ? "yes" : "no",
       plan.doubleBufferedFragments ? "yes" : "no");
  printSide(text, plan.rows, "rows");
  printSide(text, plan.columns, "columns");
  printStore(text, plan);
  printTail(text, plan);
  return text;
}

} // namespace mpf
