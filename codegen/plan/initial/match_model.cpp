#include "codegen/plan/initial/match_model.h"

#include "codegen/plan/initial/initial_program.h"
#include "codegen/plan/initial/input_contents.h"
#include "codegen/plan/program/reentered_loops.h"
#include "codegen/plan/program/slice_copies.h"
#include "dsl/model/print/print_model.h"

#include <algorithm>
#include <fmt/core.h>
#include <map>

namespace mpf {

namespace {

std::string variableMismatch(const TableProgram &program, const Model &model) {
  const auto copies =
      std::count_if(program.variables.begin(), program.variables.end(),
                    [](const ProgramVariable &variable) { return variable.copyOf.valid(); });
  const size_t own = program.variables.size() - static_cast<size_t>(copies);
  if (own != model.variables.size())
    return fmt::format("the plan has {} variables, the model {}", own, model.variables.size());
  for (size_t i = 0; i < model.variables.size(); ++i) {
    const ProgramVariable &planned = program.variables[i];
    const Variable &variable = model.variables[i];
    if (planned.name != variable.name || planned.extent != variable.extent)
      return fmt::format("variable {} is {} with {} states in the plan, {} with {} in the model", i,
                         planned.name, planned.extent, variable.name, variable.extent);
    const bool inPlan = program.observes(VarId{i}), inModel = model.evidence.observes(VarId{i});
    if (inPlan != inModel)
      return fmt::format("variable {} is {}observed in the plan, {}observed in the model",
                         variable.name, inPlan ? "" : "not ", inModel ? "" : "not ");
  }
  return "";
}

/// The variables of a factor's scope that are in the plan's table: not observed, and of two states
/// or more.
std::vector<VarId> remaining(const TableProgram &program, const std::vector<VarId> &scope) {
  std::vector<VarId> left;
  for (const VarId id : scope)
    if (const ProgramVariable &variable = program.variables[id.index()];
        !program.observes(id) && variable.extent > 1)
      left.push_back(variable.sliced ? originalOf(program, id) : id); // maybe of a reentered loop
  std::sort(left.begin(), left.end());
  return left;
}

/// Reports inputs that share memory in the plan or are packed, but whose entries do not allow that,
/// or may come not to.
std::string contentsMismatch(const TableProgram &program, const Model &model, bool finalTables) {
  const InputContents contents(model, finalTables);
  const std::vector<TableId> first = contents.firstEqual(program);
  for (size_t i = 0; i < program.tables.size(); ++i) {
    const ProgramTable &table = program.tables[i];
    if (table.packed && !contents.isZeroOne(program, TableId{i}))
      return fmt::format("table {} is packed in the plan, but {} in the model", table.name,
                         finalTables ? "holds other entries than zeros and ones, or no zero"
                                     : "a session may change it");
    if (table.isInput() && table.sameAs.valid() && first[i] != first[table.sameAs.index()])
      return fmt::format("tables {} and {} are the same in the plan, but {} in the model",
                         program.table(table.sameAs).name, table.name,
                         finalTables ? "not" : "a session may change one of them");
  }
  return "";
}

/// Compares kind, semiring and results with the program that planning starts with.
std::string queryMismatch(const TableProgram &program, const TableProgram &initial) {
  if (program.kind != initial.kind)
    return fmt::format("it answers another kind of query ({}) than {} is ({})",
                       queryKindName(program.kind), initial.name, queryKindName(initial.kind));
  const Semiring wanted = initial.operations.front().semiring;
  for (size_t i = 0; i < program.operations.size(); ++i)
    if (program.operations[i].semiring != wanted)
      return fmt::format("operation {} is of semiring {}, the query of {}", i,
                         semiringName(program.operations[i].semiring), semiringName(wanted));
  const ProgramOutput &planned = program.outputs.front(), &asked = initial.outputs.front();
  std::vector<VarId> scope;
  for (const VarId id : planned.scope)
    scope.push_back(originalOf(program, id));
  if (planned.name != asked.name || scope != asked.scope ||
      planned.rowVariables != asked.rowVariables)
    return fmt::format("its result {} is not what query {} asks for", planned.name, initial.name);
  for (size_t i = 0; i < initial.variables.size(); ++i)
    if (program.variables[i].unasked && !initial.variables[i].unasked)
      return fmt::format("it has no posterior of {}, which query {} asks for",
                         initial.variables[i].name, initial.name);
  return "";
}

/// Compares how often every factor, and every constant by its value, is an input of both programs.
/// Identities, which tie copies to sliced variables, and inputs that reentered loops read again are
/// left out: the verifier checks both.
std::string inputMismatch(const TableProgram &program, const TableProgram &initial) {
  std::map<std::pair<std::string, double>, int> missing; // factors: their number as a value
  const auto count = [&missing](const TableProgram &of, int times) {
    for (const ProgramTable &table : of.tables)
      if ((table.fill || table.factor.valid()) && !isReenteredInput(of, table))
        missing[{table.fill ? table.name : "", table.fill.value_or(table.factor.value)}] += times;
  };
  count(initial, 1);
  count(program, -1);
  for (const auto &[input, times] : missing)
    if (times != 0)
      return fmt::format("{} enters it {}",
                         input.first.empty() ? fmt::format("factor {}", input.second)
                                             : fmt::format("{} = {}", input.first, input.second),
                         times > 0 ? "too seldom" : "too often");
  return "";
}

} // namespace

std::string findMismatch(const TableProgram &program, const Model &model, const Query &query,
                         bool finalTables) {
  if (const std::string mismatch = variableMismatch(program, model); !mismatch.empty())
    return mismatch;
  Diagnostics warnings; // were given when the plan was made
  const TableProgram initial = initialProgram(model, query, warnings);
  if (const std::string mismatch = queryMismatch(program, initial); !mismatch.empty())
    return mismatch;
  for (const ProgramTable &table : program.tables) {
    if (!table.factor.valid())
      continue;
    if (table.factor.index() >= model.factors.size())
      return fmt::format("table {} is factor {} of the plan, the model has {}", table.name,
                         table.factor.index(), model.factors.size());
    const Factor &factor = model.factor(table.factor);
    if (table.name != factor.name)
      return fmt::format("factor {} is {} in the plan, {} in the model", table.factor.index(),
                         table.name, factor.name);
    if (remaining(program, table.scope) != remaining(program, factor.scope))
      return fmt::format("factor {} has other variables in the plan than in the model",
                         factor.name);
  }
  if (const std::string mismatch = inputMismatch(program, initial); !mismatch.empty())
    return mismatch;
  return contentsMismatch(program, model, finalTables);
}

} // namespace mpf
