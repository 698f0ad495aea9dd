// The lines of a matrix plan in the text of a kernel plan; read_kernel.cpp reads them.
#include "codegen/kernel/print_kernel.h"

#include <fmt/format.h>
#include <iterator>

namespace mpf {

namespace {
template <class List> std::string joined(const List &list) {
  std::string text;
  for (const auto &item : list)
    text += fmt::format("{}{}", text.empty() ? "" : ",", item);
  return text.empty() ? "-" : text;
}

void printSide(std::string &text, const MatrixSide &side, const char *name) {
  fmt::format_to(std::back_inserter(text),
                 "  side {} digits={} operands={} tile={} warps={} along={} fragment_vector={} "
                 "fetch_vector={} "
                 "strides_elems={},{},{} allocated_elems={} offset_elems={} conflict_free={}\n",
                 name, joined(side.digits), joined(side.operands), side.tile, side.warps,
                 side.alongTerms ? "terms" : "side", side.fragmentVector, side.fetchVector,
                 side.sideStride, side.termStride, side.groupStride, side.allocatedElems,
                 side.offsetElems, side.conflictFree ? "yes" : "no");
}
} // namespace

std::string detail::printMatrix(const MatrixPlan &matrix) {
  std::string text;
  fmt::format_to(std::back_inserter(text),
                 "  matrix batch={} terms={} instruction={},{},{} chunk={} stages={} raster={}\n",
                 joined(matrix.batch), joined(matrix.terms), matrix.instruction.rows,
                 matrix.instruction.columns, matrix.instruction.terms, matrix.chunk, matrix.stages,
                 matrix.raster);
  printSide(text, matrix.rows, "rows");
  printSide(text, matrix.columns, "columns");
  return text;
}

} // namespace mpf
