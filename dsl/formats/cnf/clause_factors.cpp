#include "dsl/formats/cnf/clause_factors.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace mpf {

namespace {

/// The state of its variable in which the literal is true.
uint32_t trueState(Literal literal) { return literal > 0 ? 1 : 0; }

} // namespace

ClauseFactors::ClauseFactors(NetworkBuilder &network)
    : network_(network), named_(network.model().variables.size(), false) {}

VarId ClauseFactors::variableOf(Literal literal) {
  const VarId id(static_cast<uint32_t>(std::abs(literal)) - 1);
  named_[id.index()] = true;
  return id;
}

bool ClauseFactors::addWeights(Literal variable, const std::vector<double> &values,
                               SourceRange place) {
  return network_.addTable(fmt::format("w{}", variable), {variableOf(variable)}, values, place);
}

bool ClauseFactors::addOne(SourceRange place) {
  return network_.addTable("one", {}, std::array{1.0}, place);
}

const TableValues &ClauseFactors::tableOf(size_t variables, size_t violation) {
  const size_t entries = size_t{1} << variables;
  TableValues &table = tables_[entries + violation];
  if (table == nullptr) {
    std::vector<double> values(entries, 1);
    values[violation] = 0;
    table = std::make_shared<const std::vector<double>>(std::move(values));
  }
  return table;
}

bool ClauseFactors::addClause(VarId link, std::span<const Literal> literals, SourceRange place) {
  std::vector<VarId> scope;
  scope.reserve(literals.size() + (link.valid() ? 1 : 0));
  size_t violation = 0; // the entry in which each literal is false
  if (link.valid())
    scope.push_back(link);
  for (const Literal literal : literals) {
    scope.push_back(variableOf(literal));
    violation = violation * 2 + (1 - trueState(literal));
  }
  const TableValues &table = tableOf(scope.size(), violation);
  return network_.addStored(fmt::format("c{}", count_), std::move(scope), table, place);
}

bool ClauseFactors::addChain(std::span<const Literal> literals, SourceRange place) {
  VarId link;
  for (size_t i = 1; i + 2 < literals.size(); ++i) {
    const VarId next(network_.model().variables.size());
    std::string name = fmt::format("or{}_{}", count_, i);
    if (!network_.addUnlabelledVariable(name, 2, place))
      return false;
    // The first link begins with the first literal, each other one with the link before it.
    const VarId before = link.valid() ? link : variableOf(literals[0]);
    const uint32_t beforeTrue = link.valid() ? 1 : trueState(literals[0]);
    std::vector<double> values(8, 0);
    for (uint32_t entry = 0; entry < 4; ++entry) {
      const bool isTrue = entry / 2 == beforeTrue || entry % 2 == trueState(literals[i]);
      values[entry * 2 + (isTrue ? 1 : 0)] = 1;
    }
    if (!network_.addTable(std::move(name), {before, variableOf(literals[i]), next},
                           std::move(values), place))
      return false;
    link = next;
  }
  return addClause(link, literals.last(2), place);
}

bool ClauseFactors::add(std::span<const Literal> literals, SourceRange place) {
  ++count_;
  // Clauses are short, or rare: sorting copies of them costs little.
  sorted_.assign(literals.begin(), literals.end());
  std::ranges::sort(sorted_, {},
                    [](Literal literal) { return std::pair(std::abs(literal), literal); });
  const auto isOfOne = [](Literal a, Literal b) { return std::abs(a) == std::abs(b); };
  if (std::ranges::adjacent_find(sorted_, isOfOne) != sorted_.end()) {
    const auto [last, end] = std::ranges::unique(sorted_);
    sorted_.erase(last, end);
    if (std::ranges::adjacent_find(sorted_, isOfOne) != sorted_.end())
      return true;
    literals = sorted_;
  }
  if (literals.empty() && std::exchange(hasEmpty_, true))
    return true;
  return literals.size() <= kWidestClauseTable ? addClause({}, literals, place)
                                               : addChain(literals, place);
}

} // namespace mpf
