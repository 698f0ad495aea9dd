#include "codegen/plan/order/order_components.h"

#include "codegen/simplify/state/disjoint_sets.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

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
  for (OrderProblem &problem : components.problems()) {
    problem.goesDownward = traitsOf(program.kind).goesDownward;
    problem.tracesBack = traitsOf(program.kind).decoding.has_value();
  }
  for (size_t i = 0; i < program.tables.size(); ++i)
    if (program.tables[i].isInput())
      components.addClique(program.tables[i].scope, loops == nullptr ? nullptr : &loops->ofTable[i],
                           localOf);
  const uint64_t none = 0;
  components.addClique(kept, loops == nullptr ? nullptr : &none, localOf);
  for (const VarId id : kept)
    components.problemOf(id).isOutput[localOf[id.index()]] = 1;
  return std::move(components.problems());
}

namespace {

/// The tables of each problem: which of equal ones, and their scopes as they are stored.
std::vector<std::vector<uint32_t>> tablesOf(const TableProgram &program,
                                            const std::vector<OrderProblem> &problems,
                                            const std::vector<uint32_t> &localOf,
                                            const InputContents &contents) {
  std::vector<uint32_t> problemOf(localOf.size(), 0);
  for (uint32_t i = 0; i < problems.size(); ++i)
    for (const VarId id : problems[i].variables)
      problemOf[id.index()] = i;
  const std::vector<TableId> first = contents.firstEqual(program);
  std::vector<std::vector<uint32_t>> tables(problems.size());
  for (size_t t = 0; t < program.tables.size(); ++t) {
    const std::vector<VarId> &scope = program.tables[t].scope;
    if (!program.tables[t].isInput() || scope.empty())
      continue;
    std::vector<uint32_t> &key = tables[problemOf[scope.front().index()]];
    key.push_back(first[t].value);
    for (const VarId id : scope)
      key.push_back(localOf[id.index()]);
  }
  return tables;
}

void countDistinct(const std::vector<std::vector<uint32_t>> &tables, EqualComponents &equal) {
  std::set<std::vector<uint32_t>> seen;
  for (const uint32_t member : equal.members)
    seen.insert(tables[member]);
  equal.distinct = static_cast<double>(seen.size());
}

} // namespace

std::vector<EqualComponents> equalComponents(const TableProgram &program,
                                             const std::vector<OrderProblem> &problems,
                                             const std::vector<std::vector<Vertex>> &known,
                                             const std::vector<uint32_t> &localOf,
                                             const InputContents *contents) {
  const auto keyOf = [&](uint32_t i) {
    const OrderProblem &p = problems[i];
    return std::tie(p.extents, p.cliques, p.isOutput, p.loops, p.later, p.waitsFor, known[i]);
  };
  const auto isLess = [&](uint32_t a, uint32_t b) { return keyOf(a) < keyOf(b); };
  std::map<uint32_t, size_t, decltype(isLess)> classOf(isLess); // by a problem like it
  std::vector<EqualComponents> classes;
  for (uint32_t i = 0; i < problems.size(); ++i) {
    const auto [at, isNew] = classOf.try_emplace(i, classes.size());
    if (isNew)
      classes.emplace_back();
    classes[at->second].members.push_back(i);
  }
  const bool anyEqual = classes.size() < problems.size();
  const std::vector<std::vector<uint32_t>> tables =
      anyEqual && contents != nullptr ? tablesOf(program, problems, localOf, *contents)
                                      : std::vector<std::vector<uint32_t>>();
  for (EqualComponents &equal : classes)
    if (tables.empty())
      equal.distinct = static_cast<double>(equal.members.size());
    else
      countDistinct(tables, equal);
  return classes;
}

} // namespace mpf
