#include "codegen/simplify/passes/pass_singletons.h"

#include "codegen/simplify/state/edit_domains.h"
#include "codegen/simplify/state/table_arithmetic.h"

#include <algorithm>
#include <optional>

namespace mpf {

namespace {

/// The most entries of a factor that loses a barren variable, or a leaf. A barren variable saves
/// the run its whole bucket; a leaf only moves the work from the run to the simplifier.
constexpr uint64_t kMaxBarrenElems = uint64_t{1} << 22;
constexpr uint64_t kMaxLeafElems = uint64_t{1} << 14;

enum class WantedSingletons { Barren, Leaf };

class Singletons {
public:
  Singletons(SimplifyState &state, WantedSingletons wanted)
      : state_(state), wanted_(wanted), incidence_(state), uses_(state.variables.size(), 0),
        erased_(state.factors.size(), 0) {
    for (size_t i = 0; i < uses_.size(); ++i)
      uses_[i] = incidence_.of(VarId{i}).size();
  }

  bool run() {
    for (size_t i = 0; i < uses_.size(); ++i)
      candidates_.push_back(VarId{uses_.size() - 1 - i});
    bool changed = false;
    while (!candidates_.empty() && !state_.impossible) {
      const VarId id = candidates_.back();
      candidates_.pop_back();
      if (uses_[id.index()] == 1 && state_.mayLeave(id))
        changed |= tryToLeave(id);
    }
    if (changed)
      eraseFactors(state_, erased_);
    return changed;
  }

private:
  /// The one factor that still has the variable.
  uint32_t factorOf(VarId id) const {
    for (const uint32_t f : incidence_.of(id)) {
      const std::vector<VarId> &scope = state_.factors[f].scope;
      if (!erased_[f] && std::find(scope.begin(), scope.end(), id) != scope.end())
        return f;
    }
    return UINT32_MAX;
  }

  bool tryToLeave(VarId id) {
    const uint32_t f = factorOf(id);
    SimplifyFactor &factor = state_.factors[f];
    const Extents extents = state_.extents(factor.scope);
    if (factor.values.size() >
        (wanted_ == WantedSingletons::Barren ? kMaxBarrenElems : kMaxLeafElems))
      return false;
    const auto axis = static_cast<size_t>(std::find(factor.scope.begin(), factor.scope.end(), id) -
                                          factor.scope.begin());
    const std::optional<EntryTable> left = reduceGroups(
        factor.values, extents, axis, std::vector<uint32_t>(extents[axis], 0), 1, state_.algebra);
    if (!left)
      return false;
    const std::optional<Entry> constant = commonEntry(*left, extents[axis], state_.algebra);
    if (wanted_ == WantedSingletons::Barren && !constant)
      return false;
    if (constant && !state_.algebra.fitsScale(state_.scale, *constant))
      return false;
    record(id, factor, extents);
    if (constant) {
      state_.impossible |= !state_.algebra.multiplyScale(state_.scale, *constant);
      erased_[f] = 1;
      for (const VarId parent : factor.scope)
        freed(parent);
    } else {
      factor.values = *left;
      factor.scope.erase(factor.scope.begin() + static_cast<std::ptrdiff_t>(axis));
      for (const VarId other : factor.scope)
        candidates_.push_back(other);
    }
    leave(state_, id);
    return true;
  }

  void record(VarId id, const SimplifyFactor &factor, const Extents &extents) {
    if (!needsStep(state_, id))
      return;
    AnswerStep step;
    step.variable = id;
    step.newState.assign(state_.extent(id), 0);
    step.scope = factor.scope;
    step.scopeExtents = extents;
    step.table = factor.values.values();
    state_.steps.push_back(std::move(step));
  }

  void freed(VarId id) {
    --uses_[id.index()];
    candidates_.push_back(id);
  }

  SimplifyState &state_;
  WantedSingletons wanted_;
  Incidence incidence_;
  std::vector<size_t> uses_; ///< per variable: factors that have it
  std::vector<char> erased_;
  std::vector<VarId> candidates_;
};

} // namespace

bool passBarren(SimplifyState &state) { return Singletons(state, WantedSingletons::Barren).run(); }
bool passLeaves(SimplifyState &state) { return Singletons(state, WantedSingletons::Leaf).run(); }

} // namespace mpf
