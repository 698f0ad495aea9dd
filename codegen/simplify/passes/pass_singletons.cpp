#include "codegen/simplify/passes/pass_singletons.h"

#include "codegen/simplify/state/edit_domains.h"
#include "codegen/simplify/state/table_arithmetic.h"

#include <algorithm>
#include <optional>

namespace mpf {

namespace {

/// Entries of the largest factor that is looked at. A barren variable saves the run its whole
/// bucket; a leaf only moves the work from the run to the simplifier.
constexpr uint64_t kMaxBarrenElems = uint64_t{1} << 22;
constexpr uint64_t kMaxLeafElems = uint64_t{1} << 14;

enum class WantedPrivate { Barren, Leaf };

class PrivateVariables {
public:
  PrivateVariables(SimplifyState &problem, WantedPrivate wanted)
      : problem_(problem), wanted_(wanted), incidence_(problem), uses_(problem.variables.size(), 0),
        erased_(problem.factors.size(), 0) {
    for (size_t i = 0; i < uses_.size(); ++i)
      uses_[i] = incidence_.of(VarId{i}).size();
  }

  bool run() {
    for (size_t i = 0; i < uses_.size(); ++i)
      candidates_.push_back(VarId{uses_.size() - 1 - i});
    bool changed = false;
    while (!candidates_.empty() && !problem_.impossible) {
      const VarId id = candidates_.back();
      candidates_.pop_back();
      if (uses_[id.index()] == 1 && problem_.mayLeave(id))
        changed |= tryToLeave(id);
    }
    if (changed)
      eraseFactors(problem_, erased_);
    return changed;
  }

private:
  /// The one factor that still has the variable.
  uint32_t factorOf(VarId id) const {
    for (const uint32_t f : incidence_.of(id)) {
      const std::vector<VarId> &scope = problem_.factors[f].scope;
      if (!erased_[f] && std::find(scope.begin(), scope.end(), id) != scope.end())
        return f;
    }
    return UINT32_MAX;
  }

  bool tryToLeave(VarId id) {
    const uint32_t f = factorOf(id);
    SimplifyFactor &factor = problem_.factors[f];
    const Extents extents = problem_.extents(factor.scope);
    if (factor.values.size() > (wanted_ == WantedPrivate::Barren ? kMaxBarrenElems : kMaxLeafElems))
      return false;
    const auto axis = static_cast<size_t>(std::find(factor.scope.begin(), factor.scope.end(), id) -
                                          factor.scope.begin());
    const std::optional<EntryTable> left = reduceGroups(
        factor.values, extents, axis, std::vector<uint32_t>(extents[axis], 0), 1, problem_.algebra);
    if (!left)
      return false;
    const std::optional<Entry> constant = commonEntry(*left, extents[axis], problem_.algebra);
    if (wanted_ == WantedPrivate::Barren && !constant)
      return false;
    if (constant && !problem_.algebra.fitsScale(problem_.scale, *constant))
      return false;
    record(id, factor, extents);
    if (constant) {
      problem_.impossible |= !problem_.algebra.multiplyScale(problem_.scale, *constant);
      erased_[f] = 1;
      for (const VarId parent : factor.scope)
        freed(parent);
    } else {
      factor.values = *left;
      factor.scope.erase(factor.scope.begin() + static_cast<std::ptrdiff_t>(axis));
      for (const VarId other : factor.scope)
        candidates_.push_back(other);
    }
    leave(problem_, id);
    return true;
  }

  void record(VarId id, const SimplifyFactor &factor, const Extents &extents) {
    if (!needsStep(problem_, id))
      return;
    AnswerStep step;
    step.variable = id;
    step.newState.assign(problem_.extent(id), 0);
    step.scope = factor.scope;
    step.scopeExtents = extents;
    step.table = factor.values.values();
    problem_.steps.push_back(std::move(step));
  }

  void freed(VarId id) {
    --uses_[id.index()];
    candidates_.push_back(id);
  }

  SimplifyState &problem_;
  WantedPrivate wanted_;
  Incidence incidence_;
  std::vector<size_t> uses_; ///< per variable: factors that have it
  std::vector<char> erased_;
  std::vector<VarId> candidates_;
};

} // namespace

bool passBarren(SimplifyState &problem) {
  return PrivateVariables(problem, WantedPrivate::Barren).run();
}
bool passLeaves(SimplifyState &problem) {
  return PrivateVariables(problem, WantedPrivate::Leaf).run();
}

} // namespace mpf
