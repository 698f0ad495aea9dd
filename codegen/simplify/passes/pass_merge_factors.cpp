#include "codegen/simplify/passes/pass_merge_factors.h"

#include "codegen/simplify/state/edit_domains.h"
#include "codegen/simplify/state/table_arithmetic.h"
#include "dsl/support/split_mix.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace mpf {

namespace {

/// The most entries of a merged table: larger ones are multiplied when the plan runs, on all cores.
constexpr uint64_t kMaxMergedElems = uint64_t{1} << 22;

/// Returns the axes of the variables of `small` in `big`; nothing if one is missing.
std::optional<std::vector<size_t>> axesIn(const std::vector<VarId> &big,
                                          const std::vector<VarId> &small) {
  std::vector<size_t> axes;
  axes.reserve(small.size());
  for (const VarId id : small) {
    const auto found = std::find(big.begin(), big.end(), id);
    if (found == big.end())
      return std::nullopt;
    axes.push_back(static_cast<size_t>(found - big.begin()));
  }
  return axes;
}

class FactorMerger {
public:
  explicit FactorMerger(SimplifyState &state)
      : state_(state), incidence_(state), erased_(state.factors.size(), 0) {
    linkEqualScopes();
  }

  bool run() {
    std::vector<uint32_t> bySize(state_.factors.size());
    std::iota(bySize.begin(), bySize.end(), 0);
    std::stable_sort(bySize.begin(), bySize.end(), [&](uint32_t a, uint32_t b) {
      return state_.factors[a].scope.size() < state_.factors[b].scope.size();
    });
    bool changed = false;
    for (const uint32_t f : bySize)
      changed |= mergeAway(f);
    if (changed)
      eraseFactors(state_, erased_);
    return changed;
  }

private:
  static constexpr uint32_t kNone = UINT32_MAX;

  /// Finds factors of the same variables by sorting: thousands of factors may have one variable
  /// (the centre of a star), and a search among them for each would take too long.
  void linkEqualScopes() {
    std::vector<std::pair<uint64_t, uint32_t>> byHash;
    byHash.reserve(state_.factors.size());
    for (uint32_t f = 0; f < state_.factors.size(); ++f) {
      if (!state_.factors[f].known())
        continue;
      uint64_t hash = 0; // equal for every order of the scope
      for (const VarId id : state_.factors[f].scope)
        hash += mixBits(id.value + kGoldenGamma);
      byHash.emplace_back(hash, f);
    }
    std::sort(byHash.begin(), byHash.end());
    nextEqual_.assign(state_.factors.size(), kNone);
    for (size_t i = 1; i < byHash.size(); ++i) {
      const std::vector<VarId> &scope = state_.factors[byHash[i - 1].second].scope;
      const std::vector<VarId> &next = state_.factors[byHash[i].second].scope;
      if (byHash[i].first == byHash[i - 1].first && scope.size() == next.size() &&
          axesIn(next, scope))
        nextEqual_[byHash[i - 1].second] = byHash[i].second;
    }
  }

  bool mergeAway(uint32_t f) {
    const SimplifyFactor &factor = state_.factors[f];
    if (!factor.known() || factor.scope.empty())
      return false;
    const uint32_t equal = nextEqual_[f];
    const uint32_t host =
        equal != kNone && factor.values.size() <= kMaxMergedElems ? equal : smallestHost(f);
    if (host == kNone)
      return false;
    SimplifyFactor &big = state_.factors[host];
    std::optional<ScaledTable> product =
        combineTables(big.values, state_.extents(big.scope), factor.values,
                      *axesIn(big.scope, factor.scope), state_.algebra);
    if (!product)
      return false;
    big.values = std::move(product->table);
    state_.scale.factor.exponent += product->exponent;
    erased_[f] = 1;
    return true;
  }

  /// Returns the smallest factor with all variables of f and more. Looks among the factors of f's
  /// variable that has the fewest.
  uint32_t smallestHost(uint32_t f) const {
    const std::vector<VarId> &scope = state_.factors[f].scope;
    VarId rarest = scope.front();
    for (const VarId id : scope)
      if (incidence_.of(id).size() < incidence_.of(rarest).size())
        rarest = id;
    uint32_t best = kNone;
    uint64_t least = kMaxMergedElems + 1;
    for (const uint32_t g : incidence_.of(rarest)) {
      const SimplifyFactor &other = state_.factors[g];
      if (g == f || erased_[g] || !other.known() || other.values.size() >= least ||
          other.scope.size() <= scope.size() || !axesIn(other.scope, scope))
        continue;
      best = g;
      least = other.values.size();
    }
    return best;
  }

  SimplifyState &state_;
  Incidence incidence_;
  std::vector<char> erased_;
  std::vector<uint32_t> nextEqual_; ///< by factor: the next one of the same variables
};

} // namespace

bool passMergeFactors(SimplifyState &state) { return FactorMerger(state).run(); }

} // namespace mpf
