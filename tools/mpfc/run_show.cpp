// mpfc show: lists what a model declares, by the names that the command line takes.
#include "dsl/model/mpf_names.h"
#include "dsl/support/check.h"
#include "dsl/support/json_text.h"
#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"
#include "tools/mpfc/commands.h"
#include "tools/mpfc/compile/load_model.h"
#include "tools/mpfc/compile/select_query.h"
#include "tools/mpfc/process/output.h"

#include <fmt/ranges.h>
#include <string>
#include <vector>

namespace mpf::driver {

namespace {

/// A line for an array or a variable: "x[100]: no, yes", "z[2][3]: 4 states".
std::string variableLine(const Model &model, const VariableRun &run) {
  std::string text = "  " + spellName(run.base);
  for (const uint64_t extent : run.dims)
    text += fmt::format("[{}]", extent);
  const Variable &variable = model.variables[run.first];
  if (variable.labels.empty())
    return fmt::format("{}: {}\n", text, counted(variable.extent, "state", "states"));
  std::vector<std::string> labels;
  for (const std::string &label : variable.labels)
    labels.push_back(spellName(label));
  return fmt::format("{}: {}\n", text, fmt::join(labels, ", "));
}

std::vector<std::string> inputsOf(const Model &model) {
  std::vector<std::string> names;
  for (const Factor &factor : model.factors)
    if (isInput(factor))
      names.push_back(factor.name);
  return names;
}

std::vector<std::string> observedOf(const Model &model, const MpfSpelling &spelling) {
  std::vector<std::string> found;
  for (const Observation &seen : model.evidence.observations()) {
    const Variable &variable = model.variable(seen.variable);
    found.push_back(fmt::format("{}={}", spelling.variable(seen.variable),
                                variable.labels.empty() ? fmt::format("{}", seen.state)
                                                        : spellName(variable.labels[seen.state])));
  }
  return found;
}

std::string listText(const Model &model) {
  const MpfSpelling spelling(model);
  std::string text =
      fmt::format("model {}\n{}:\n", model.name.empty() ? "without a name" : model.name,
                  counted(ownVariableCount(model), "variable", "variables"));
  for (const VariableRun &run : spelling.runs())
    if (run.first < ownVariableCount(model))
      text += variableLine(model, run);
  const auto add = [&text](std::string_view what, const std::vector<std::string> &items) {
    if (!items.empty())
      text += fmt::format("{}: {}\n", what, fmt::join(items, ", "));
  };
  std::vector<std::string> params;
  for (const Param &param : model.params)
    params.push_back(fmt::format("{} = {}{}", spellName(param.name), formatDouble(param.value),
                                 param.isSwept ? " (swept)" : ""));
  add("params", params);
  add("inputs", inputsOf(model));
  add("observed", observedOf(model, spelling));
  add("queries", namesOf(model.queries));
  return text;
}

std::string listJson(const Model &model) {
  JsonText variables = JsonText::array(), params = JsonText::array();
  for (size_t i = 0; i < ownVariableCount(model); ++i) {
    const Variable &variable = model.variables[i];
    variables.push_back(
        {{"name", variable.name},
         {"states", variable.extent},
         {"labels", variable.labels.empty() ? JsonText(nullptr) : JsonText(variable.labels)}});
  }
  for (const Param &param : model.params)
    params.push_back({{"name", param.name}, {"value", param.value}, {"is_swept", param.isSwept}});
  JsonText observed = JsonText::object();
  for (const Observation &seen : model.evidence.observations()) {
    const Variable &variable = model.variable(seen.variable);
    observed.add(variable.name, variable.labels.empty() ? JsonText(seen.state)
                                                        : JsonText(variable.labels[seen.state]));
  }
  const JsonText all{{"model", model.name},
                     {"variables", std::move(variables)},
                     {"params", std::move(params)},
                     {"inputs", inputsOf(model)},
                     {"observed", std::move(observed)},
                     {"queries", namesOf(model.queries)}};
  return all.dump(1) + "\n";
}

} // namespace

int runShow(const Options &options) {
  const Model model = loadModelOrFail(options);
  writeResult(options, options.format == OutputFormat::Json ? listJson(model) : listText(model));
  return 0;
}

} // namespace mpf::driver
