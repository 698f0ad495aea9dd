#include "dsl/formats/cnf/hidden_variables.h"

#include <algorithm>
#include <optional>
#include <queue>
#include <utility>

namespace mpf {

namespace {

/// A set of assignments of binary variables.
struct Relation {
  std::vector<uint32_t> scope; ///< ascending
  std::vector<bool> holds;     ///< row-major, the last variable fastest
  bool isUsed = false;         ///< another relation has taken its place
};

class HiddenElimination {
public:
  HiddenElimination(const Model &model, std::span<const VarId> hidden)
      : of_(model.variables.size()) {
    isHidden_.resize(model.variables.size());
    for (const VarId id : hidden)
      isHidden_[id.index()] = true;
    for (size_t f = 0; f < model.factors.size(); ++f)
      addFactor(model, FactorId(f));
  }

  /// Returns the bound that stopped it; nothing: no hidden variable is left.
  std::optional<ProjectionBound> run();
  /// The factors that name no hidden variable, and the relations that elimination made.
  const std::vector<FactorId> &kept() const { return kept_; }
  std::vector<const Relation *> made() const;

private:
  void addFactor(const Model &model, FactorId id);
  void add(Relation relation);
  std::vector<uint32_t> neighbours(uint32_t variable);
  std::optional<ProjectionBound> eliminate(uint32_t variable);

  std::vector<bool> isHidden_;
  std::vector<FactorId> kept_;
  std::vector<Relation> relations_;
  /// The relations that name each hidden variable. Used ones stay until the next look.
  std::vector<std::vector<size_t>> of_;
  uint64_t workLeft_ = kProjectionWork;
};

void HiddenElimination::addFactor(const Model &model, FactorId id) {
  const Factor &factor = model.factor(id);
  if (std::ranges::none_of(factor.scope, [&](VarId v) { return isHidden_[v.index()]; })) {
    kept_.push_back(id);
    return;
  }
  // The table with its variables in ascending order.
  std::vector<std::pair<uint32_t, size_t>> places; // a variable, and its bit in an entry
  for (size_t i = 0; i < factor.scope.size(); ++i)
    places.emplace_back(factor.scope[i].value, factor.scope.size() - 1 - i);
  std::ranges::sort(places);
  Relation relation{{}, std::vector<bool>(factor.values->size())};
  for (const auto &[variable, bit] : places)
    relation.scope.push_back(variable);
  for (size_t entry = 0; entry < relation.holds.size(); ++entry) {
    size_t from = 0;
    for (size_t i = 0; i < places.size(); ++i)
      from |= (entry >> (places.size() - 1 - i) & 1) << places[i].second;
    relation.holds[entry] = (*factor.values)[from] != 0;
  }
  add(std::move(relation));
}

void HiddenElimination::add(Relation relation) {
  for (const uint32_t variable : relation.scope)
    if (isHidden_[variable])
      of_[variable].push_back(relations_.size());
  relations_.push_back(std::move(relation));
}

/// Returns the variables of all unused relations that name the variable, ascending.
std::vector<uint32_t> HiddenElimination::neighbours(uint32_t variable) {
  std::vector<size_t> &named = of_[variable];
  workLeft_ -= std::min<uint64_t>(named.size(), workLeft_);
  std::erase_if(named, [this](size_t r) { return relations_[r].isUsed; });
  std::vector<uint32_t> all;
  for (const size_t r : named)
    all.insert(all.end(), relations_[r].scope.begin(), relations_[r].scope.end());
  std::ranges::sort(all);
  const auto [last, end] = std::ranges::unique(all);
  all.erase(last, end);
  return all;
}

std::optional<ProjectionBound> HiddenElimination::eliminate(uint32_t variable) {
  const std::vector<uint32_t> all = neighbours(variable);
  const std::vector<size_t> gone = std::exchange(of_[variable], {});
  if (all.size() > kWidestProjectedTable + 1)
    return ProjectionBound::Width;
  const uint64_t entries = uint64_t{1} << all.size();
  const uint64_t work = entries * gone.size();
  if (work > workLeft_)
    return ProjectionBound::Work;
  workLeft_ -= work;
  std::vector<bool> product(entries, true);
  for (const size_t r : gone) {
    // The bits of an entry of the product that the relation's variables have.
    std::vector<size_t> bits;
    for (const uint32_t one : relations_[r].scope)
      bits.push_back(all.size() - 1 -
                     static_cast<size_t>(std::ranges::lower_bound(all, one) - all.begin()));
    for (uint64_t entry = 0; entry < entries; ++entry) {
      size_t from = 0;
      for (const size_t bit : bits)
        from = from * 2 + (entry >> bit & 1);
      product[entry] = product[entry] && relations_[r].holds[from];
    }
  }
  const auto place = static_cast<size_t>(std::ranges::lower_bound(all, variable) - all.begin());
  const uint64_t bit = uint64_t{1} << (all.size() - 1 - place);
  Relation made{all, std::vector<bool>(entries / 2)};
  made.scope.erase(made.scope.begin() + static_cast<ptrdiff_t>(place));
  for (uint64_t entry = 0; entry < entries / 2; ++entry) {
    const uint64_t low = entry & (bit - 1), wide = (entry - low) * 2 + low;
    made.holds[entry] = product[wide] || product[wide | bit];
  }
  for (const size_t r : gone) {
    relations_[r].isUsed = true;
    relations_[r].holds = {};
  }
  add(std::move(made));
  return std::nullopt;
}

std::optional<ProjectionBound> HiddenElimination::run() {
  using Next = std::pair<size_t, uint32_t>; // the number of neighbours, and the variable
  std::priority_queue<Next, std::vector<Next>, std::greater<>> queue;
  for (uint32_t v = 0; v < isHidden_.size(); ++v)
    if (isHidden_[v] && !of_[v].empty())
      queue.emplace(neighbours(v).size(), v);
  while (!queue.empty()) {
    const auto [count, variable] = queue.top();
    queue.pop();
    if (of_[variable].empty())
      continue; // it is eliminated
    if (const size_t now = neighbours(variable).size(); now != count) {
      queue.emplace(now, variable);
      continue;
    }
    if (const std::optional<ProjectionBound> bound = eliminate(variable))
      return bound;
  }
  return std::nullopt;
}

std::vector<const Relation *> HiddenElimination::made() const {
  std::vector<const Relation *> made;
  for (const Relation &relation : relations_)
    if (!relation.isUsed && std::ranges::count(relation.holds, false) != 0) // else it is 1
      made.push_back(&relation);
  return made;
}

} // namespace

std::variant<std::vector<FactorId>, ProjectionBound>
eliminateHidden(NetworkBuilder &network, std::span<const VarId> hidden) {
  HiddenElimination elimination(network.model(), hidden);
  if (const std::optional<ProjectionBound> bound = elimination.run())
    return *bound;
  std::vector<FactorId> factors = elimination.kept();
  size_t number = 0;
  for (const Relation *relation : elimination.made()) {
    const FactorId made(network.model().factors.size());
    std::vector<VarId> scope(relation->scope.begin(), relation->scope.end());
    const std::vector<double> values(relation->holds.begin(), relation->holds.end());
    if (!network.addTable(fmt::format("projected{}", ++number), std::move(scope), values, {}))
      break; // the error was reported
    factors.push_back(made);
  }
  return factors;
}

} // namespace mpf
