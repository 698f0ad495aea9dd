#include "tools/mpfc/explain/facts/network_facts.h"

#include "codegen/simplify/state/disjoint_sets.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace mpf {

namespace {

using Pair = std::pair<uint32_t, uint32_t>;
constexpr size_t kLargestCliqueScope = 64;

/// Neighbour lists of the primal graph over the variables that carry information.
class PrimalGraph {
public:
  explicit PrimalGraph(size_t variables) : neighbours_(variables), parts_(variables) {}

  void addScope(const std::vector<uint32_t> &scope) {
    const size_t centres = scope.size() <= kLargestCliqueScope ? scope.size() : 1;
    for (size_t i = 0; i < centres; ++i)
      for (size_t j = i + 1; j < scope.size(); ++j) {
        neighbours_[scope[i]].push_back(scope[j]);
        neighbours_[scope[j]].push_back(scope[i]);
        parts_.join(scope[i], scope[j]);
      }
  }

  void finish(NetworkFacts &facts) {
    size_t ends = 0;
    for (std::vector<uint32_t> &list : neighbours_) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
      ends += list.size();
      facts.largestDegree = std::max(facts.largestDegree, list.size());
    }
    facts.edges = ends / 2;
    facts.degeneracy = degeneracy();
  }

  uint32_t part(uint32_t v) { return parts_.find(v); }

private:
  /// Returns a lower bound on the treewidth: removes a vertex of least degree again and again, and
  /// returns the greatest degree met (Matula and Beck 1983).
  size_t degeneracy() const {
    std::vector<size_t> degree(neighbours_.size());
    std::vector<std::vector<uint32_t>> byDegree;
    for (uint32_t v = 0; v < neighbours_.size(); ++v) {
      degree[v] = neighbours_[v].size();
      byDegree.resize(std::max(byDegree.size(), degree[v] + 1));
      byDegree[degree[v]].push_back(v);
    }
    std::vector<char> removed(neighbours_.size(), 0);
    size_t greatest = 0;
    for (size_t d = 0; d < byDegree.size();) {
      if (byDegree[d].empty()) {
        ++d;
        continue;
      }
      const uint32_t v = byDegree[d].back();
      byDegree[d].pop_back();
      if (removed[v] || degree[v] != d)
        continue; // moved to a smaller degree since
      removed[v] = 1;
      greatest = std::max(greatest, d);
      for (const uint32_t u : neighbours_[v])
        if (!removed[u])
          byDegree[--degree[u]].push_back(u);
      d -= d > 0 ? 1 : 0;
    }
    return greatest;
  }

  std::vector<std::vector<uint32_t>> neighbours_;
  DisjointSets parts_;
};

void countTables(const Model &model, const Query &query, ElementType type, NetworkFacts &facts) {
  std::map<const void *, uint64_t> zerosOf; // by shared table; its order has no meaning
  for (const FactorId id : query.factors) {
    const Factor &factor = model.factor(id);
    if (factor.scope.size() > facts.largestScope || facts.largestFactor.empty()) {
      facts.largestScope = factor.scope.size();
      facts.largestFactor = factor.name;
    }
    const TableValues &values = storedValues(factor);
    if (!values) {
      ++facts.unboundFactors;
      continue;
    }
    const auto [at, isNew] = zerosOf.try_emplace(values.get(), 0);
    const uint64_t elems = scopeElems(model, factor.scope);
    if (isNew)
      at->second = static_cast<uint64_t>(
          std::count(values->begin(), values->begin() + static_cast<ptrdiff_t>(elems), 0.0));
    facts.entries += elems;
    facts.zeroEntries += at->second;
  }
  facts.factors = query.factors.size();
  facts.tableBytes = saturatingMul(facts.entries, elementBytes(type));
}

} // namespace

NetworkFacts networkFacts(const Model &model, const Query &query, ElementType type) {
  NetworkFacts facts;
  std::vector<char> hidden(model.variables.size(), 0); // observed, or with one state
  for (const Finding &finding : model.evidence.findings)
    hidden[finding.variable.index()] = 1;
  facts.variables = ownVariableCount(model);
  facts.observed = model.evidence.findings.size();
  std::map<uint32_t, size_t> domains;
  for (size_t v = 0; v < model.variables.size(); ++v) {
    const uint32_t extent = model.variables[v].extent;
    hidden[v] |= extent == 1 ? 1 : 0;
    if (model.variables[v].auxiliary)
      continue;
    ++domains[extent];
    facts.log2States += std::log2(extent);
    facts.single += extent == 1 ? 1 : 0;
  }
  facts.domains.assign(domains.begin(), domains.end());
  PrimalGraph graph(model.variables.size());
  for (const FactorId id : query.factors) {
    std::vector<uint32_t> scope;
    for (const VarId v : model.factor(id).scope)
      if (!hidden[v.index()])
        scope.push_back(v.value);
    graph.addScope(scope);
  }
  for (uint32_t v = 0; v < model.variables.size(); ++v)
    facts.components += !hidden[v] && graph.part(v) == v ? 1 : 0;
  graph.finish(facts);
  countTables(model, query, type, facts);
  return facts;
}

} // namespace mpf
