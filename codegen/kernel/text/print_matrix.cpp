// The lines of a matrix plan in the text of a kernel plan; read_kernel.cpp reads them.
#include "codegen/kernel/text/plan_text.h"
#include "codegen/kernel/text/print_kernel.h"

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

std::string detail::printMatrix(const MatrixPlan &matrix) {
  Text text;
  line(text,
       "  matrix batch={} terms={} instruction={},{},{} chunk={} stages={} raster={} persistent={} "
       "runs_ahead={}",
       joined(matrix.batch), joined(matrix.terms), matrix.instruction.rows,
       matrix.instruction.columns, matrix.instruction.terms, matrix.chunk, matrix.stages,
       matrix.raster, matrix.persistent ? "yes" : "no",
       matrix.doubleBufferedFragments ? "yes" : "no");
  printSide(text, matrix.rows, "rows");
  printSide(text, matrix.columns, "columns");
  return text;
}

} // namespace mpf
