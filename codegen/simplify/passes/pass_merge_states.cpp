#include "codegen/simplify/passes/pass_merge_states.h"

#include "codegen/simplify/passes/state_classes.h"
#include "codegen/simplify/state/edit_domains.h"
#include "codegen/simplify/state/table_arithmetic.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace mpf {

namespace {

size_t axisOf(const SimplifyFactor &factor, VarId id) {
  return static_cast<size_t>(std::find(factor.scope.begin(), factor.scope.end(), id) -
                             factor.scope.begin());
}

/// The states to merge and the factor whose slices are reduced for it.
struct Merge {
  uint32_t owner = 0;
  StateClasses classes;
  bool equalInOwner = false;
};

class StateMerger {
public:
  explicit StateMerger(SimplifyState &state)
      : state_(state), incidence_(state), queued_(state.variables.size(), 1),
        known_(state.factors.size()) {
    for (size_t i = 0; i < state.variables.size(); ++i)
      queue_.push_back(VarId{i});
  }

  bool run() {
    bool changed = false;
    for (size_t head = 0; head < queue_.size(); ++head) {
      const VarId id = queue_[head];
      queued_[id.index()] = 0;
      if (state_.extent(id) < 2 || !state_.mayShrink(id) || incidence_.of(id).empty() ||
          (state_.variable(id).asked && !state_.traits().isQuotient))
        continue;
      if (state_.extent(id) == 2 && differInTwo(id))
        continue;
      const std::optional<Merge> merge = bestMerge(id);
      changed |= merge && apply(id, *merge);
    }
    return changed;
  }

private:
  /// Whether the answer distinguishes the states: then their shares of the merged state must be
  /// constants.
  bool needsShares(VarId id) const {
    return state_.traits().outputs == QueryOutputs::Posteriors || state_.variable(id).asked;
  }

  /// Whether two factors distinguish the states of a variable of two states. Then these cannot
  /// merge; this is so for most variables.
  bool differInTwo(VarId id) const {
    size_t differing = 0;
    for (const uint32_t f : incidence_.of(id)) {
      const SimplifyFactor &factor = state_.factors[f];
      uint64_t inner = 1;
      for (size_t a = factor.scope.size(); factor.scope[--a] != id;)
        inner *= state_.extent(factor.scope[a]);
      differing += equalHalves(factor.values, inner) ? 0 : 1;
      if (differing == 2)
        return true;
    }
    return false;
  }

  /// Returns the classes of states that a factor cannot distinguish. A table is read once for each
  /// axis, and again only if it was reduced: merging states changes only the owners.
  const StateClasses &classesOf(uint32_t f, VarId id) {
    const SimplifyFactor &factor = state_.factors[f];
    known_[f].resize(factor.scope.size());
    const size_t axis = axisOf(factor, id);
    StateClasses &classes = known_[f][axis];
    if (classes.count == 0)
      classes = equalSlices(factor.values, state_.extents(factor.scope), axis);
    return classes;
  }

  /// Whether surely no states can merge, because two disjoint sets of factors both distinguish all
  /// states: the owner is in one of them only. One set suffices where an owner's slices must be
  /// equal. Small tables come first: they usually suffice, and the large ones need not be read.
  bool allDiffer(VarId id) {
    const auto factors = incidence_.of(id);
    const uint32_t states = state_.extent(id);
    bySize_.clear();
    for (uint32_t i = 0; i < factors.size(); ++i)
      bySize_.emplace_back(state_.factors[factors[i]].values.size(), i);
    std::sort(bySize_.begin(), bySize_.end());
    size_t setsLeft = 2;
    if (needsShares(id) && state_.factors[factors[bySize_.front().second]].scope.size() > 1)
      setsLeft = 1;                       // a unary factor is as small as any
    StateClasses told = oneClass(states); // classes that the present set distinguishes
    for (const auto &[elems, i] : bySize_) {
      told = meet(told, classesOf(factors[i], id));
      if (told.count < states)
        continue;
      if (--setsLeft == 0)
        return true;
      told = oneClass(states);
    }
    return false;
  }

  /// Returns the owner that lets most states merge; the first one among equals.
  std::optional<Merge> bestMerge(VarId id) {
    if (allDiffer(id))
      return std::nullopt;
    const auto factors = incidence_.of(id);
    std::vector<const StateClasses *> classes; // per factor
    for (const uint32_t f : factors)
      classes.push_back(&classesOf(f, id));
    std::vector<StateClasses> after(classes.size() + 1, oneClass(state_.extent(id)));
    for (size_t i = classes.size(); i-- > 0;)
      after[i] = meet(*classes[i], after[i + 1]);
    Merge best;
    best.classes.count = state_.extent(id);
    StateClasses before = oneClass(state_.extent(id));
    for (size_t i = 0; i < classes.size(); ++i) {
      const bool unary = state_.factors[factors[i]].scope.size() == 1;
      const StateClasses others = meet(before, after[i + 1]);
      const StateClasses all = meet(others, *classes[i]);
      const StateClasses &usable = needsShares(id) && !unary ? all : others;
      if (usable.count < best.classes.count)
        best = {factors[i], usable, all.count == usable.count};
      before = meet(before, *classes[i]);
    }
    if (best.classes.count == state_.extent(id))
      return std::nullopt;
    return best;
  }

  bool apply(VarId id, const Merge &merge) {
    SimplifyFactor &owner = state_.factors[merge.owner];
    const Extents extents = state_.extents(owner.scope);
    AnswerStep step;
    step.variable = id;
    step.newState = merge.classes.classOf;
    if (needsShares(id)) {
      const std::optional<std::vector<double>> shares = sharesOf(merge, owner);
      if (!shares)
        return false;
      step.share = *shares;
    }
    std::optional<EntryTable> reduced =
        reduceGroups(owner.values, extents, axisOf(owner, id), merge.classes.classOf,
                     merge.classes.count, state_.algebra);
    if (!reduced)
      return false;
    if (state_.traits().decoding && !merge.equalInOwner) {
      step.scope = owner.scope;
      step.scopeExtents = extents;
      step.table = owner.values.values();
    }
    owner.values = std::move(*reduced);
    known_[merge.owner].clear();
    keepFirstOfEachClass(id, merge);
    renameStates(state_, id, step.newState, merge.classes.count);
    if (needsStep(state_, id))
      state_.steps.push_back(std::move(step));
    for (const VarId neighbour : owner.scope) // their slices of the owner may be equal now
      if (!queued_[neighbour.index()]) {
        queued_[neighbour.index()] = 1;
        queue_.push_back(neighbour);
      }
    return true;
  }

  void keepFirstOfEachClass(VarId id, const Merge &merge) {
    std::vector<uint32_t> representatives;
    for (uint32_t s = 0; s < merge.classes.classOf.size(); ++s)
      if (merge.classes.classOf[s] == representatives.size())
        representatives.push_back(s);
    for (const uint32_t f : incidence_.of(id)) {
      if (f == merge.owner)
        continue;
      SimplifyFactor &factor = state_.factors[f];
      const Extents extents = state_.extents(factor.scope);
      std::vector<std::vector<uint32_t>> states;
      for (size_t a = 0; a < factor.scope.size(); ++a) {
        std::vector<uint32_t> all(extents[a]);
        for (uint32_t s = 0; s < extents[a]; ++s)
          all[s] = s;
        states.push_back(factor.scope[a] == id ? representatives : std::move(all));
      }
      factor.values = gather(factor.values, extents, states);
      restrict(known_[f][axisOf(factor, id)], representatives); // nothing changes on other axes
    }
  }

  /// Restricts classes to the states that are left, which keep their order.
  static void restrict(StateClasses &classes, const std::vector<uint32_t> &left) {
    StateClasses among{{}, 0};
    std::vector<uint32_t> newClass(classes.count, UINT32_MAX);
    for (const uint32_t state : left) {
      uint32_t &number = newClass[classes.classOf[state]];
      if (number == UINT32_MAX)
        number = among.count++;
      among.classOf.push_back(number);
    }
    classes = std::move(among);
  }

  /// Returns the share of each state in its class, for sums. Nothing if a state has no positive
  /// weight.
  std::optional<std::vector<double>> sharesOf(const Merge &merge,
                                              const SimplifyFactor &owner) const {
    const std::vector<uint32_t> &classOf = merge.classes.classOf;
    if (owner.scope.size() == 1 && !merge.equalInOwner)
      return sharesOfGroups(owner.values, classOf, merge.classes.count);
    return sharesOfGroups(
        EntryTable(std::make_shared<const std::vector<double>>(classOf.size(), 1)), classOf,
        merge.classes.count);
  }

  SimplifyState &state_;
  Incidence incidence_;
  std::vector<VarId> queue_; ///< first in, first out
  std::vector<char> queued_;
  std::vector<std::vector<StateClasses>> known_; ///< by factor and axis; no states: not known
  /// Entries of each factor of the present variable, and its place in the incidence list.
  std::vector<std::pair<uint64_t, uint32_t>> bySize_;
};

} // namespace

bool passMergeStates(SimplifyState &state) { return StateMerger(state).run(); }

} // namespace mpf
