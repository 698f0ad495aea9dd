#include "codegen/plan/order/order_components.h"

#include "codegen/plan/program/components.h"

#include <algorithm>

namespace mpf {

namespace {
constexpr uint32_t kNoVertex = UINT32_MAX;
} // namespace

std::vector<OrderProblem> orderProblems(const TableProgram &program, const std::vector<VarId> &kept,
                                        bool together, const InputLoops *loops,
                                        std::vector<uint32_t> &localOf) {
  const size_t count = program.variables.size();
  DisjointSets components(count);
  const auto joinAll = [&components](const std::vector<VarId> &scope) {
    for (size_t i = 1; i < scope.size(); ++i)
      components.join(scope[0].value, scope[i].value);
  };
  for (const ProgramTable &table : program.tables)
    if (table.isInput())
      joinAll(table.scope);
  joinAll(kept);
  if (together)
    joinAll(program.order);

  std::vector<VarId> variables = program.order;
  std::sort(variables.begin(), variables.end());
  std::vector<OrderProblem> problems;
  std::vector<uint32_t> componentOf(count, kNoVertex);
  localOf.assign(count, kNoVertex);
  for (const VarId id : variables) {
    uint32_t &component = componentOf[components.find(id.value)];
    if (component == kNoVertex) {
      component = static_cast<uint32_t>(problems.size());
      problems.emplace_back();
    }
    OrderProblem &problem = problems[component];
    localOf[id.index()] = static_cast<uint32_t>(problem.variables.size());
    problem.variables.push_back(id);
    problem.extents.push_back(program.variables[id.index()].extent);
  }
  for (OrderProblem &problem : problems) {
    problem.kept.assign(problem.variables.size(), 0);
    problem.later.resize(problem.variables.size());
    problem.waitsFor.assign(problem.variables.size(), 0);
    if (loops != nullptr) {
      problem.loopExtents = loops->extents;
      problem.loopTables = loops->tables;
    }
  }
  const auto addClique = [&](const std::vector<VarId> &scope, uint64_t inLoops) {
    if (scope.empty())
      return;
    std::vector<Vertex> clique;
    for (const VarId id : scope)
      clique.push_back(localOf[id.index()]);
    std::sort(clique.begin(), clique.end());
    OrderProblem &problem = problems[componentOf[components.find(scope[0].value)]];
    problem.cliques.push_back(std::move(clique));
    if (loops != nullptr)
      problem.loops.push_back(inLoops);
  };
  for (size_t i = 0; i < program.tables.size(); ++i)
    if (program.tables[i].isInput())
      addClique(program.tables[i].scope, loops == nullptr ? 0 : loops->ofTable[i]);
  addClique(kept, 0);
  for (const VarId id : kept)
    problems[componentOf[components.find(id.value)]].kept[localOf[id.index()]] = 1;
  return problems;
}

} // namespace mpf
