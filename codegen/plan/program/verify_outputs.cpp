#include "codegen/plan/program/verify_outputs.h"

#include "codegen/plan/program/held_variables.h"
#include "codegen/plan/program/program_edit.h"
#include "codegen/plan/program/slice_copies.h"
#include "dsl/support/joint_states.h"

#include <algorithm>
#include <fmt/core.h>
#include <utility>
#include <vector>

namespace mpf {

namespace {

/// Checks that the scope of a marginal is held variables, then one variable that is not held.
std::string marginalFault(const TableProgram &program, const ProgramOutput &output) {
  const auto free =
      std::ranges::find_if(output.scope, [&program](VarId id) { return !isHeld(program, id); });
  if (output.scope.end() - free != 1)
    return fmt::format("output {}: a posterior is of one variable", output.name);
  const ProgramVariable &variable =
      program.variables[originalOf(program, output.scope.back()).index()];
  if (variable.unasked)
    return fmt::format("output {}: its variable is unasked", output.name);
  if (output.name != variable.name)
    return fmt::format("output {}: its variable is {}", output.name, variable.name);
  return output.normalised ? "" : fmt::format("output {}: a posterior is normalised", output.name);
}

/// Checks that a marginals program has the evidence, then every variable that countPosteriors
/// counts, in the order of the model.
std::string marginalsFault(const TableProgram &program, bool complete) {
  const size_t wanted = 1 + countPosteriors(program);
  if (complete && program.outputs.size() != wanted)
    return fmt::format("marginals have {} outputs, here are {}", wanted, program.outputs.size());
  for (size_t i = 1; i < program.outputs.size(); ++i) {
    const ProgramOutput &output = program.outputs[i];
    if (std::string fault = marginalFault(program, output); !fault.empty())
      return fault;
    if (i > 1 && originalOf(program, output.scope.back()) <=
                     originalOf(program, program.outputs[i - 1].scope.back()))
      return fmt::format("output {}: posteriors follow the order of the variables, each once",
                         output.name);
  }
  return "";
}

/// Checks that a program of joined queries has the evidence, then posteriors.
std::string joinedFault(const TableProgram &program, bool complete) {
  if (complete && (!program.asked.empty() || program.outputs.size() < 2))
    return fmt::format("{} posteriors of joined queries are made, {} are not",
                       program.outputs.size() - 1, program.asked.size());
  for (size_t i = 1; i < program.outputs.size(); ++i)
    if (!program.outputs[i].normalised)
      return fmt::format("output {}: a posterior is normalised", program.outputs[i].name);
  return "";
}

} // namespace

std::string findOutputFault(const TableProgram &program, bool complete) {
  const QueryTraits &traits = traitsOf(program.kind);
  const bool posteriors = traits.outputs == QueryOutputs::Posteriors;
  if (program.outputs.empty())
    return "there is no output";
  if (!traits.goesDownward && program.outputs.size() != 1)
    return fmt::format("this kind of query has one output, here are {}", program.outputs.size());
  for (const ProgramOutput &output : program.outputs)
    if (output.rowVariables >
        (traits.restored == Restored::Posterior && output.normalised ? output.scope.size() : 0))
      return fmt::format("output {}: it has rows for {} variables", output.name,
                         output.rowVariables);
  const ProgramOutput &first = program.outputs.front();
  if (traits.outputs != QueryOutputs::Asked && !traits.asksEachVariable() && !first.scope.empty())
    return fmt::format("output {}: it is a number, not a table", first.name);
  if (first.normalised != (traits.outputs == QueryOutputs::Asked && traits.isQuotient))
    return fmt::format("output {}: only posteriors are normalised", first.name);
  if (traits.outputs == QueryOutputs::Joints)
    return joinedFault(program, complete);
  return posteriors ? marginalsFault(program, complete) : "";
}

std::string findTracebackFault(const TableProgram &program, bool complete) {
  if (!traitsOf(program.kind).decoding)
    return program.traceback.empty() ? "" : "a traceback belongs to best queries only";
  if (!complete)
    return "";
  std::vector<char> decided(program.variables.size(), 0);
  size_t open = 0;
  for (size_t i = 0; i < decided.size(); ++i) {
    decided[i] = program.variables[i].sliced; // the loops choose its state
    open += !program.observes(VarId{i}) && !program.variables[i].sliced;
  }
  for (const VarId id : heldVariables(program)) // held variables keep all states
    open -= !std::exchange(decided[id.index()], 1);
  std::vector<const TracebackStep *> ownSteps(decided.size(), nullptr);
  for (const TracebackStep &step : program.traceback)
    if (step.variable.index() < decided.size())
      ownSteps[step.variable.index()] = &step;
  for (const TracebackStep &step : program.traceback) {
    if (step.variable.index() >= decided.size() || program.observes(step.variable) ||
        std::exchange(decided[step.variable.index()], 1))
      return fmt::format("traceback decides variable {} wrongly or twice", step.variable);
    --open;
    std::vector<VarId> joint{step.variable};
    for (const TableId id : step.tables) {
      if (id.index() >= program.tables.size())
        return fmt::format("traceback reads table {} of {}", id, program.tables.size());
      for (const VarId v : program.table(id).scope)
        if (!decided[v.index()]) {
          // Variables that were eliminated jointly are chosen from the same tables.
          const TracebackStep *const own = ownSteps[v.index()];
          if (own == nullptr || own->tables != step.tables)
            return fmt::format("traceback of {} needs {}, which is decided later",
                               program.variables[step.variable.index()].name,
                               program.variables[v.index()].name);
          if (std::ranges::find(joint, v) == joint.end())
            joint.push_back(v);
        }
    }
    if (joint.size() > 1 && programElems(program, joint) > kMostJointStates)
      return fmt::format("traceback of {} looks at {} states of {} variables, {} at most",
                         program.variables[step.variable.index()].name,
                         programElems(program, joint), joint.size(), kMostJointStates);
  }
  return open == 0 ? "" : fmt::format("traceback leaves {} variables open", open);
}

std::string findUnusedResult(const TableProgram &program) {
  std::vector<OpId> all;
  for (size_t i = 0; i < program.operations.size(); ++i)
    all.emplace_back(i);
  const std::vector<OpId> used = usedOperations(program, all);
  const auto first = std::mismatch(used.begin(), used.end(), all.begin()).second;
  return first == all.end() ? "" : fmt::format("operation {}: nothing uses its result", *first);
}

} // namespace mpf
