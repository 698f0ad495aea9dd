#include "runtime/python/native/block.h"

#include "dsl/support/check.h"
#include "runtime/python/native/arrays.h"

#include <algorithm>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace mpf::python {

void Block::start(uint64_t first, uint32_t count) {
  if (count > cases_.pitch())
    fail(ErrorKind::Usage, "{} cases in a block of {}", count, cases_.pitch());
  cases_.startAt(first);
  cases_.count = count;
}

void Block::requireCells(size_t column, uint32_t at, uint32_t count, uint32_t states) const {
  if (column >= cases_.columns() || uint64_t{at} + count > cases_.pitch())
    fail(ErrorKind::Usage, "column {}, cases {} to {} of a block of {} columns and {} cases",
         column, at, uint64_t{at} + count, cases_.columns(), cases_.pitch());
  if (schema_.observed[column].extent != states)
    fail(ErrorKind::Usage, "column {} has {} states, not {}", column,
         schema_.observed[column].extent, states);
}

void Block::requireCode(size_t column, uint32_t code) const {
  if (column >= cases_.columns() || code > schema_.observed[column].extent)
    fail(ErrorKind::Usage, "code {} in column {} of a block", code, column);
}

void Block::setCode(size_t column, uint32_t i, uint32_t code) {
  requireCode(column, code);
  cases_.setCode(column, i, code);
}

void Block::fillColumn(size_t column, uint32_t code) {
  requireCode(column, code);
  for (uint32_t i = 0; i < cases_.pitch(); ++i)
    cases_.setCode(column, i, code);
}

void Block::fillWeights(size_t likelihood, const std::vector<double> &values) {
  if (likelihood >= schema_.likelihoods.size() ||
      values.size() != schema_.likelihoods[likelihood].extent)
    fail(ErrorKind::Usage, "{} weights of likelihood {} of a block", values.size(), likelihood);
  const size_t first = schema_.firstWeight(likelihood);
  for (size_t e = 0; e < values.size(); ++e)
    std::fill_n(cases_.weights().begin() + static_cast<ptrdiff_t>((first + e) * cases_.pitch()),
                cases_.pitch(), values[e]);
}

void Block::fillParam(size_t param, std::span<const double> values) {
  if (param >= schema_.params.size() || values.size() > cases_.pitch())
    fail(ErrorKind::Usage, "{} values of param {} of a block", values.size(), param);
  std::ranges::copy(values,
                    cases_.params().begin() + static_cast<ptrdiff_t>(param * cases_.pitch()));
}

void defineBlocks(nb::module_ &module) {
  nb::class_<Block>(module, "Block")
      .def(nb::init<const CaseProgram &, uint32_t>())
      .def("start", &Block::start)
      .def("set_code", &Block::setCode)
      .def("fill_column", &Block::fillColumn, "Sets one code in every case")
      .def("fill_param", [](Block &block, size_t param,
                            const Doubles &values) { block.fillParam(param, spanOf(values)); })
      .def("fill_weights", &Block::fillWeights, "Sets the weights of one likelihood in every case");
}

} // namespace mpf::python
