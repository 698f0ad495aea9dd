#include "codegen/plan/order/order_components.h"

#include "codegen/plan/program/components.h"
#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {
constexpr uint32_t kNoVertex = UINT32_MAX;
} // namespace

namespace {

/// The components of the interaction graph as problems, by the variables of each.
class ComponentProblems {
public:
  /// `together`: all variables of the order count as one component.
  ComponentProblems(const TableProgram &program, const std::vector<VarId> &kept, bool together)
      : program_(program), components_(program.variables.size()),
        componentOf_(program.variables.size(), kNoVertex) {
    for (const ProgramTable &table : program.tables)
      if (table.isInput())
        join(table.scope);
    join(kept);
    if (together)
      join(program.order);
  }

  void addVariables(std::vector<uint32_t> &localOf) {
    std::vector<VarId> variables = program_.order;
    std::sort(variables.begin(), variables.end());
    localOf.assign(program_.variables.size(), kNoVertex);
    for (const VarId id : variables) {
      uint32_t &component = componentOf_[components_.find(id.value)];
      if (component == kNoVertex) {
        component = static_cast<uint32_t>(problems_.size());
        problems_.emplace_back();
      }
      OrderProblem &problem = problems_[component];
      localOf[id.index()] = static_cast<uint32_t>(problem.variables.size());
      problem.variables.push_back(id);
      problem.extents.push_back(program_.variables[id.index()].extent);
    }
    for (OrderProblem &problem : problems_) {
      problem.isOutput.assign(problem.variables.size(), 0);
      problem.later.resize(problem.variables.size());
      problem.waitsFor.assign(problem.variables.size(), 0);
    }
  }

  /// `inLoops`: the loops that the table of this scope is in; null: there are no loops.
  void addClique(const std::vector<VarId> &scope, const uint64_t *inLoops,
                 const std::vector<uint32_t> &localOf) {
    if (scope.empty())
      return;
    std::vector<Vertex> clique;
    for (const VarId id : scope) {
      MPF_CHECK(localOf[id.index()] != kNoVertex, "variable {} is in a table and not in the order",
                id);
      clique.push_back(localOf[id.index()]);
    }
    std::sort(clique.begin(), clique.end());
    OrderProblem &problem = problemOf(scope[0]);
    problem.cliques.push_back(std::move(clique));
    if (inLoops != nullptr)
      problem.loops.push_back(*inLoops);
  }

  OrderProblem &problemOf(VarId id) { return problems_[componentOf_[components_.find(id.value)]]; }
  std::vector<OrderProblem> &problems() { return problems_; }

private:
  void join(const std::vector<VarId> &scope) {
    for (size_t i = 1; i < scope.size(); ++i)
      components_.join(scope[0].value, scope[i].value);
  }

  const TableProgram &program_;
  DisjointSets components_;
  std::vector<uint32_t> componentOf_; ///< by representative of a set
  std::vector<OrderProblem> problems_;
};

} // namespace

std::vector<OrderProblem> orderProblems(const TableProgram &program, const std::vector<VarId> &kept,
                                        bool together, const InputLoops *loops,
                                        std::vector<uint32_t> &localOf) {
  ComponentProblems components(program, kept, together);
  components.addVariables(localOf);
  if (loops != nullptr)
    for (OrderProblem &problem : components.problems()) {
      problem.loopExtents = loops->extents;
      problem.loopTables = loops->tables;
    }
  for (OrderProblem &problem : components.problems())
    problem.goesDownward = traitsOf(program.kind).goesDownward;
  for (size_t i = 0; i < program.tables.size(); ++i)
    if (program.tables[i].isInput())
      components.addClique(program.tables[i].scope, loops == nullptr ? nullptr : &loops->ofTable[i],
    problem.tracesBack = traitsOf(program.kind).decoding.has_value();
  }
                           localOf);
  const uint64_t none = 0;
  components.addClique(kept, loops == nullptr ? nullptr : &none, localOf);
  for (const VarId id : kept)
    components.problemOf(id).isOutput[localOf[id.index()]] = 1;
  return std::move(components.problems());
}

} // namespace mpf
