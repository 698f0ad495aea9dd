#include "runtime/python/native/networks.h"
#include "runtime/python/native/arrays.h"
#include "runtime/python/native/interrupts.h"
#include "runtime/python/native/without_gil.h"

#include "dsl/formats/network/format_options.h"
#include "dsl/support/check.h"
#include "runtime/api/cases.h"
#include "runtime/api/network.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace mpf::python {

namespace {

using Names = std::vector<std::string>;

/// Converts the value of a param: a number, a list (a sweep), or (shape, entries) of an array.
GivenParam paramOf(nb::handle value) {
  if (nb::isinstance<nb::tuple>(value)) {
    const auto [shape, entries] =
        nb::cast<std::pair<std::vector<uint64_t>, std::vector<double>>>(value);
    return {shape, entries};
  }
  if (nb::isinstance<nb::list>(value))
    return {nb::cast<std::vector<double>>(value)};
  return {nb::cast<double>(value)};
}

Names formatOptionNames() {
  Names names;
  for (const FormatOption &option : formatOptions())
    names.emplace_back(hostName(option));
  return names;
}

ReadOptions readOptions(const nb::dict &given) {
  ReadOptions options;
  for (const auto &[key, value] : given) {
    const std::string name = nb::cast<std::string>(key);
    if (name == "params")
      for (const auto &[param, number] : nb::cast<nb::dict>(value))
        options.params.emplace(nb::cast<std::string>(param), paramOf(number));
    else if (name == "normalise")
      options.normalise = nb::cast<bool>(value);
    else if (name == "evidence")
      options.evidence = nb::cast<std::optional<std::string>>(value);
    else if (name == "states")
      options.states = nb::cast<std::string>(value);
    else if (name == "format")
      options.format = nb::cast<std::string>(value);
    else
      options.formatOptions[name] = nb::cast<std::string>(value);
  }
  return options;
}

/// Calls Network::read or Network::parse, without the GIL.
template <auto kRead> Network readAs(const std::string &source, const nb::dict &given) {
  ReadOptions options = readOptions(given);
  Interrupts interrupts;
  options.watch = interrupts.watch();
  const WithoutGil others;
  return kRead(source, options);
}

nb::list variablesOf(const Network &network) {
  nb::list list;
  for (const VariableInfo &variable : network.variables())
    list.append(nb::make_tuple(variable.name, variable.states, variable.labels));
  return list;
}

nb::list factorsOf(const Network &network) {
  nb::list list;
  for (const FactorInfo &factor : network.factors())
    list.append(nb::make_tuple(factor.name, factor.variables, factor.isConditional, factor.isInput,
                               factor.isLikelihood));
  return list;
}

nb::list paramsOf(const Network &network) {
  nb::list list;
  for (const ParamInfo &param : network.params())
    list.append(nb::make_tuple(param.name, param.value, param.isSwept, param.swept));
  return list;
}

/// Returns a copy of the values: the network may be changed while Python has them.
nb::object valuesOf(const Network &network, const std::string &factor) {
  const std::optional<std::span<const double>> values = network.values(factor);
  if (!values)
    return nb::none();
  return newArray({values->size()}, [&](double *copy) { std::ranges::copy(*values, copy); });
}

CompileOptions compileOptions(const std::string &query, const nb::dict &given) {
  CompileOptions options;
  options.query = query;
  for (const auto &[key, value] : given) {
    const std::string name = nb::cast<std::string>(key);
    if (name == "type")
      options.type = nb::cast<std::string>(value);
    else if (name == "device")
      options.device = nb::cast<std::string>(value);
    else if (name == "memory")
      options.maxMemoryBytes = nb::cast<std::optional<uint64_t>>(value);
    else
      fail(ErrorKind::Usage, "compiling has no option '{}'", name);
  }
  return options;
}

/// Returns the programs that answer the queries, and the warnings.
nb::tuple compileForCases(const Network &network, const Names &queries, const Names &likelihoods,
                          const std::optional<Names> &observable, const nb::dict &given,
                          std::optional<double> seconds) {
  const bool isOne = queries.size() == 1;
  CompileOptions options = compileOptions(isOne ? queries.front() : "", given);
  std::vector<std::string> warnings;
  options.warnings = &warnings;
  CaseOptions cases;
  cases.likelihoods = likelihoods;
  cases.observable = observable.value_or(Names());
  cases.observesNothing = observable && observable->empty();
  Network copy = network; // another thread may change the network when the GIL is gone
  Interrupts interrupts;
  interrupts.start(seconds);
  options.watch = interrupts.watch();
  std::vector<CaseProgram> programs;
  {
    const WithoutGil others;
    if (isOne) {
      programs.push_back(compileCases(std::move(copy), cases, options));
    } else {
      copy.setQueries(queries);
      programs = compileAllCases(std::move(copy), cases, options);
    }
  }
  return nb::make_tuple(std::move(programs), warnings);
}

} // namespace

void defineNetworks(nb::module_ &module) {
  using Text = const std::string &;
  nb::class_<Network>(module, "Network")
      .def(nb::init<std::string_view>())
      .def_static("read", &readAs<&Network::read>)
      .def_static("parse", &readAs<&Network::parse>)
      .def("warnings", &Network::warnings)
      .def("name", &Network::name)
      .def("variables", &variablesOf, "(name, states, labels) of each variable")
      .def("factors", &factorsOf,
           "(name, scope, is conditional, is input, is likelihood) of each factor")
      .def("params", &paramsOf, "(name, value, is swept, values) of each param")
      .def("queries", &Network::queries)
      .def("observations", &Network::observations)
      .def("values", &valuesOf)
      .def("add_numbered",
           [](Network &network, Text name, uint32_t states) { network.addVariable(name, states); })
      .def("add_labelled", [](Network &network, Text name,
                              const Names &labels) { network.addVariable(name, labels); })
      .def("add_factor",
           [](Network &network, Text name, const Names &scope, const Doubles &values) {
             network.addFactor(name, scope, spanOf(values));
           })
      .def(
          "add_conditional",
          [](Network &network, Text child, const Names &parents, const Doubles &values,
             bool normalise) { network.addConditional(child, parents, spanOf(values), normalise); })
      .def("add_input",
           [](Network &network, Text name, const Names &scope, bool mayBeNegative,
              const Doubles &defaults) {
             network.addInput(name, scope, mayBeNegative, spanOf(defaults));
           })
      .def("set_values", [](Network &network, Text factor,
                            const Doubles &values) { network.setValues(factor, spanOf(values)); })
      .def("observe", [](Network &network, Text variable,
                         uint32_t state) { network.observe(variable, state); })
      .def("add_likelihood",
           [](Network &network, Text variable, const Doubles &weights) {
             network.addLikelihood(variable, spanOf(weights));
           })
      .def("set_order", &Network::setOrder)
      .def("unobserve", [](Network &network, Text variable) { network.unobserve(variable); })
      .def("text", [](const Network &network, Text ending) { return network.text(ending); })
      .def("write", &Network::write);
  module.def("spelled", &spelled, "The name of a variable in texts of the language");
  module.def("format_options", &formatOptionNames, "The names of the options of some formats");
  module.def("compile_cases", &compileForCases, nb::arg("network"), nb::arg("queries"),
             nb::arg("likelihoods"), nb::arg("observable").none(), nb::arg("options"),
             nb::arg("seconds").none(), "The Programs that answer the queries, and the warnings");
}

} // namespace mpf::python
