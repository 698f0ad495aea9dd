#include "runtime/engine/lanes/lane_model.h"

#include "codegen/bundle/forms/program_file.h"
#include "runtime/engine/head_model.h"

#include <algorithm>
#include <utility>

namespace mpf {

RunFacts runFacts(const LaneProgram &program, unsigned threads) {
  RunFacts facts;
  facts.items = program.commonOperations.size() + program.steps.size() + program.variables.size();
  facts.listItems = facts.items;
  facts.threads = threads;
  return facts;
}

std::shared_ptr<const CaseQuestion> loadedQuestion(StoredProgram file, std::string_view name) {
  auto question = std::make_shared<CaseQuestion>();
  auto plan = std::make_shared<LanePlan>();
  plan->program = programOfForm<LaneProgram>(std::move(file), name);
  question->model = modelOfLanes(plan->program);
  question->query = question->model.queries.front();
  question->lanes.plan = std::move(plan);
  question->isLoaded = true;
  return question;
}

Model modelOfLanes(const LaneProgram &program) {
  Model model = modelOfHead(program, program.evidence);
  for (const CaseInput &input : program.caseInputs)
    model.factors.push_back(
        {input.name, input.name, input.scope, nullptr, input.conditional, nullptr, input.defaults});
  for (const FormulaParam &param : program.formulas.params)
    if (std::ranges::find(program.schema.params, param.name) != program.schema.params.end())
      model.params.push_back({param.name, param.value, true});
  for (const FormulaParam &param : program.formulas.params)
    if (!param.swept.empty())
      model.sweeps.push_back({param.name, param.swept});
  Query query;
  query.name = program.name;
  query.kind = program.kind;
  if (traitsOf(program.kind).outputs == QueryOutputs::Joints)
    for (size_t i = 0; i < program.asked.size(); ++i) // the first output is the evidence
      query.joined.push_back(
          {program.outputs[i + 1].name, program.asked[i].variables, program.asked[i].rowVariables});
  else if (!program.asked.empty()) {
    query.output = program.asked.front().variables;
    query.rowVariables = program.asked.front().rowVariables;
  }
  query.reductions = {{program.semiring.reduce, {}}};
  query.combine = program.semiring.combine;
  query.type = program.type;
  const auto isUnasked = [](const HeadVariable &variable) { return variable.unasked; };
  for (size_t v = 0;
       std::ranges::any_of(program.variables, isUnasked) && v < program.variables.size(); ++v)
    if (!program.variables[v].unasked)
      query.asked.emplace_back(v);
  model.queries = {std::move(query)};
  return model;
}

} // namespace mpf
