#include "tools/mpfc/explain/facts/network_picture.h"

#include "dsl/model/noisy_max.h"

#include <algorithm>
#include <map>
#include <utility>

namespace mpf {

namespace {

using Role = NetworkPicture::Role;

/// The edges of the factors, over the variables of the model.
class Edges {
public:
  Edges(const Model &model, const Query &query) : model_(model), near_(model.variables.size()) {
    for (const FactorId id : query.factors) {
      const Factor &factor = model.factor(id);
      if (isInnerLink(model, factor))
        continue; // its chain is one table
      std::vector<VarId> scope;
      for (const FactorId link : chainOf(model, id))
        for (const VarId v : model.factor(link).scope)
          if (!model.variable(v).auxiliary && std::ranges::find(scope, v) == scope.end())
            scope.push_back(v);
      if (scope.size() < 2)
        continue;
      if (factor.conditional)
        joinParents(scope, factor.scope.back());
      else
        joinPairs(scope);
    }
  }

  const std::vector<uint32_t> &near(size_t variable) const { return near_[variable]; }

  bool hasStars() const { return hasStars_; }

  /// Calls `take` for each pair of variables once: the first, the second, whether it is an arrow.
  template <class Take> void visit(Take take) const {
    for (const auto &[pair, isArrow] : arrows_)
      take(pair.first, pair.second, isArrow);
  }

private:
  void joinParents(const std::vector<VarId> &scope, VarId child) {
    for (const VarId v : scope)
      if (v != child)
        join(v.value, child.value, true);
  }

  void joinPairs(const std::vector<VarId> &scope) {
    hasStars_ = hasStars_ || scope.size() > kPairedScope;
    const size_t centres = scope.size() <= kPairedScope ? scope.size() : 1;
    for (size_t i = 0; i < centres; ++i)
      for (size_t j = i + 1; j < scope.size(); ++j)
        join(scope[i].value, scope[j].value, false);
  }

  void join(uint32_t from, uint32_t to, bool isArrow) {
    if (const auto back = arrows_.find({to, from}); back != arrows_.end()) {
      if (!isArrow || back->second)
        return;
      arrows_.erase(back); // the arrow replaces the line
    }
    const auto [edge, isNew] = arrows_.try_emplace({from, to}, isArrow);
    edge->second = edge->second || isArrow;
    if (isNew) {
      near_[from].push_back(to);
      near_[to].push_back(from);
    }
  }

  const Model &model_;
  bool hasStars_ = false;
  std::map<std::pair<uint32_t, uint32_t>, bool> arrows_;
  std::vector<std::vector<uint32_t>> near_; ///< neighbours; a pair may be there twice
};

/// Returns the role of each variable.
std::vector<Role> rolesOf(const Model &model, const Query &query,
                          const std::vector<const Factor *> *simplified) {
  std::vector<Role> roles(model.variables.size(), simplified ? Role::Removed : Role::Planned);
  if (simplified)
    for (const Factor *factor : *simplified)
      for (const VarId v : factor->scope)
        if (v.index() < roles.size())
          roles[v.index()] = Role::Planned;
  for (const std::vector<VarId> *asked : {&query.output, &query.asked})
    for (const VarId v : *asked)
      roles[v.index()] = Role::Asked;
  for (const Observation &seen : query.given)
    roles[seen.variable.index()] = Role::Observed;
  for (const Finding &finding : model.evidence.findings)
    roles[finding.variable.index()] = Role::Observed;
  return roles;
}

/// Returns up to kPicturedVariables variables, ascending.
std::vector<uint32_t> chosenVariables(const Model &model, const std::vector<Role> &roles,
                                      const Edges &edges) {
  std::vector<uint32_t> own;
  for (uint32_t v = 0; v < model.variables.size(); ++v)
    if (!model.variables[v].auxiliary)
      own.push_back(v);
  if (own.size() <= kPicturedVariables)
    return own;
  std::vector<uint32_t> starts = own, chosen;
  std::ranges::stable_sort(starts, [&](uint32_t a, uint32_t b) {
    const auto rank = [&](uint32_t v) {
      return std::pair(roles[v] != Role::Asked, SIZE_MAX - edges.near(v).size());
    };
    return rank(a) < rank(b);
  });
  std::vector<char> isChosen(model.variables.size(), 0);
  const auto choose = [&](uint32_t v) {
    if (chosen.size() < kPicturedVariables && !std::exchange(isChosen[v], 1))
      chosen.push_back(v);
  };
  for (size_t done = 0, next = 0; chosen.size() < kPicturedVariables;) {
    if (done == chosen.size())
      choose(starts[next++]);
    else
      std::ranges::for_each(edges.near(chosen[done++]), choose);
  }
  std::ranges::sort(chosen);
  return chosen;
}

} // namespace

NetworkPicture networkPicture(const Model &model, const Query &query,
                              const std::vector<const Factor *> *simplified) {
  const Edges edges(model, query);
  const std::vector<Role> roles = rolesOf(model, query, simplified);
  NetworkPicture picture;
  picture.variables = ownVariableCount(model);
  picture.hasStars = edges.hasStars();
  std::vector<uint32_t> nodeOf(model.variables.size(), UINT32_MAX);
  for (const uint32_t v : chosenVariables(model, roles, edges)) {
    nodeOf[v] = static_cast<uint32_t>(picture.nodes.size());
    picture.nodes.push_back({model.variables[v].name, model.variables[v].extent, roles[v]});
  }
  edges.visit([&](uint32_t from, uint32_t to, bool isArrow) {
    if (nodeOf[from] != UINT32_MAX && nodeOf[to] != UINT32_MAX)
      picture.edges.push_back({nodeOf[from], nodeOf[to], isArrow});
  });
  return picture;
}

} // namespace mpf
