#include "runtime/python/native/programs.h"
#include "runtime/python/native/without_gil.h"

#include "codegen/bundle/head/program_head.h"
#include "runtime/api/cases.h"

#include <algorithm>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace mpf::python {

namespace {

nb::list variablesOf(const CaseProgram &program) {
  nb::list variables;
  for (const VariableInfo &variable : program.variables())
    variables.append(nb::make_tuple(variable.name, variable.states, variable.labels));
  return variables;
}

std::vector<uint32_t> columnsOf(const std::vector<CaseVariable> &columns) {
  std::vector<uint32_t> variables;
  for (const CaseVariable &column : columns)
    variables.push_back(static_cast<uint32_t>(column.variable.index()));
  return variables;
}

/// Returns the name of each param that cases set, and the values of the model's sweep.
nb::list paramsOf(const CaseProgram &program) {
  const std::vector<FormulaParam> &known = program.head().formulas.params;
  nb::list params;
  for (const std::string &name : program.schema().params)
    params.append(nb::make_tuple(name, std::ranges::find(known, name, &FormulaParam::name)->swept));
  return params;
}

} // namespace

void definePrograms(nb::module_ &module) {
  nb::class_<CaseProgram>(module, "Program")
      .def("variables", &variablesOf, "(name, states, labels) of each variable")
      .def(
          "observed",
          [](const CaseProgram &program) { return columnsOf(program.schema().observed); },
          "The variable of each column")
      .def("likelihoods",
           [](const CaseProgram &program) { return columnsOf(program.schema().likelihoods); })
      .def("params", &paramsOf, "(name, swept values) of each param that cases set")
      .def("kind",
           [](const CaseProgram &program) {
             return std::string(traitsOf(program.head().kind).name);
           })
      .def("to_bytes",
           [](const CaseProgram &program) {
             const std::string bytes = program.bytes();
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def("save", &CaseProgram::save, nb::call_guard<WithoutGil>());
  module.def("load_bytes", [](const nb::bytes &bytes) {
    return loadCasesBytes({static_cast<const char *>(bytes.data()), bytes.size()});
  });
  module.def("load", &loadCases, nb::call_guard<WithoutGil>());
}

} // namespace mpf::python
