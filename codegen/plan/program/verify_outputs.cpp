#include "codegen/plan/program/verify_outputs.h"

#include "codegen/plan/program/program_edit.h"
#include "codegen/plan/program/slice_copies.h"

#include <algorithm>
#include <fmt/core.h>

namespace mpf {

namespace {

std::string marginalFault(const TableProgram &program, const ProgramOutput &output) {
  if (output.scope.size() != 1)
    return fmt::format("output {}: a posterior is of one variable", output.name);
  const ProgramVariable &variable =
      program.variables[originalOf(program, output.scope.front()).index()];
  if (output.name != variable.name)
    return fmt::format("output {}: its variable is {}", output.name, variable.name);
  return output.normalised ? "" : fmt::format("output {}: a posterior is normalised", output.name);
}

/// A marginals program has the evidence, then every variable of the order that is not sliced
/// (copies stand for those), in the order of the model.
std::string marginalsFault(const TableProgram &program, bool complete) {
  const auto sliced =
      std::count_if(program.order.begin(), program.order.end(),
                    [&program](VarId id) { return program.variables[id.index()].sliced; });
  const size_t wanted = 1 + program.order.size() - static_cast<size_t>(sliced);
  if (complete && program.outputs.size() != wanted)
    return fmt::format("marginals have {} outputs, here are {}", wanted, program.outputs.size());
  for (size_t i = 1; i < program.outputs.size(); ++i) {
    const ProgramOutput &output = program.outputs[i];
    if (std::string fault = marginalFault(program, output); !fault.empty())
      return fault;
    if (i > 1 && originalOf(program, output.scope.front()) <=
                     originalOf(program, program.outputs[i - 1].scope.front()))
      return fmt::format("output {}: posteriors follow the order of the variables, each once",
                         output.name);
  }
  return "";
}

} // namespace

std::string findOutputFault(const TableProgram &program, bool complete) {
  const QueryTraits &traits = traitsOf(program.kind);
  const bool posteriors = traits.outputs == QueryOutputs::Posteriors;
  if (program.outputs.empty())
    return "there is no output";
  if (!posteriors && program.outputs.size() != 1)
    return fmt::format("this kind of query has one output, here are {}", program.outputs.size());
  const ProgramOutput &first = program.outputs.front();
  if (traits.outputs != QueryOutputs::Asked && !first.scope.empty())
    return fmt::format("output {}: it is a number, not a table", first.name);
  if (first.normalised != (traits.outputs == QueryOutputs::Asked && traits.isQuotient))
    return fmt::format("output {}: only posteriors are normalised", first.name);
  return posteriors ? marginalsFault(program, complete) : "";
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
