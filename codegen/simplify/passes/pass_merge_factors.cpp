#include "codegen/simplify/passes/pass_merge_factors.h"

#include "codegen/simplify/state/edit_domains.h"
#include "codegen/simplify/state/table_arithmetic.h"
#include "dsl/support/split_mix.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

namespace mpf {

namespace {

/// The most entries of a merged table: larger ones are multiplied when the plan runs, on all cores.
constexpr uint64_t kMaxMergedElems = uint64_t{1} << 22;

bool hasAll(const std::vector<VarId> &big, const std::vector<VarId> &small) {
  return std::all_of(small.begin(), small.end(), [&big](VarId id) {
    return std::find(big.begin(), big.end(), id) != big.end();
  });
}

class FactorMerger {
public:
  explicit FactorMerger(SimplifyState &state)
      : state_(state), incidence_(state), erased_(state.factors.size(), 0) {
    linkEqualScopes();
  }

  bool run() {
    std::vector<std::vector<uint32_t>> bySize; // of the scope
    for (uint32_t f = 0; f < state_.factors.size(); ++f) {
      const size_t size = state_.factors[f].scope.size();
      if (size >= bySize.size())
        bySize.resize(size + 1);
      bySize[size].push_back(f);
    }
    bool changed = false;
    for (const std::vector<uint32_t> &factors : bySize)
      for (const uint32_t f : factors)
        changed |= mergeAway(f);
    if (changed)
      eraseFactors(state_, erased_);
    return changed;
  }

private:
  static constexpr uint32_t kNone = UINT32_MAX;

  /// Finds factors of the same variables by hashing: thousands of factors may have one variable
  /// (the centre of a star), and a search among them for each would take too long.
  void linkEqualScopes() {
    nextEqual_.assign(state_.factors.size(), kNone);
    std::vector<uint32_t> slots(std::bit_ceil(2 * state_.factors.size() + 1), kNone);
    for (auto f = static_cast<uint32_t>(state_.factors.size()); f-- > 0;) {
      if (!state_.factors[f].known())
        continue;
      const std::vector<VarId> &scope = state_.factors[f].scope;
      uint64_t hash = 0; // equal for every order of the scope
      for (const VarId id : scope)
        hash += mixBits(id.value + kGoldenGamma);
      size_t at = hash & (slots.size() - 1);
      const auto isOther = [&](uint32_t g) {
        return state_.factors[g].scope.size() != scope.size() ||
               !hasAll(state_.factors[g].scope, scope);
      };
      while (slots[at] != kNone && isOther(slots[at]))
        at = (at + 1) & (slots.size() - 1);
      nextEqual_[f] = std::exchange(slots[at], f);
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
    extents_.clear();
    for (const VarId id : big.scope)
      extents_.push_back(state_.extent(id));
    axes_.clear();
    for (const VarId id : factor.scope)
      axes_.push_back(static_cast<size_t>(std::find(big.scope.begin(), big.scope.end(), id) -
                                          big.scope.begin()));
    std::optional<ScaledTable> product =
        combineTables(big.values, extents_, factor.values, axes_, state_.algebra);
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
          other.scope.size() <= scope.size() || !hasAll(other.scope, scope))
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
  // Scratch, because thousands of merged tables are small.
  Extents extents_;          ///< of the table that takes another one
  std::vector<size_t> axes_; ///< in that table, of the other one's variables
};

} // namespace

bool passMergeFactors(SimplifyState &state) { return FactorMerger(state).run(); }

} // namespace mpf
