#include "codegen/plan/passes/operand_groups.h"

#include "codegen/plan/program/slice_levels.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <queue>

namespace mpf {

namespace {

class Grouping {
public:
  Grouping(const TableProgram &program, const GlobalOrder &order,
           const std::vector<TableId> &operands, const GroupingLimits &limits)
      : program_(program), order_(order), limit_(limits.maxOperands), freeElems_(limits.freeElems),
        operandCount_(operands.size()) {
    for (const TableId id : operands) {
      scopes_.push_back(program.table(id).scope);
      sizes_.push_back(sliceElems(program, program.table(id).scope));
      active_.push_back(static_cast<uint32_t>(active_.size()));
    }
  }

  OperandTree run() {
    groupEqualScopes();
    if (freeElems_ > 0)
      mergeWhereFree();
    while (active_.size() > limit_)
      mergeSmallest(UINT64_MAX);
    MPF_CHECK(!active_.empty() && active_.size() <= limit_,
              "{} groups are left, at most {} are wanted", active_.size(), limit_);
    tree_.top = active_;
    return std::move(tree_);
  }

private:
  bool isGroup(uint32_t item) const { return item >= operandCount_; }
  std::vector<uint32_t> &members(uint32_t group) {
    MPF_CHECK(isGroup(group) && group - operandCount_ < tree_.groups.size(),
              "item {} is none of {} groups", group, tree_.groups.size());
    return tree_.groups[group - operandCount_].members;
  }

  uint32_t addGroup(std::vector<uint32_t> items, std::vector<VarId> scope) {
    const auto item = static_cast<uint32_t>(scopes_.size());
    tree_.groups.push_back({std::move(items)});
    sizes_.push_back(sliceElems(program_, scope));
    scopes_.push_back(std::move(scope));
    return item;
  }

  /// The product of operands of one scope is no larger than they are. They are multiplied limit_ at
  /// a time, smallest tables first, as far as there are too many operands or the product is free.
  void groupEqualScopes() {
    std::map<std::vector<VarId>, std::vector<uint32_t>> byScope;
    for (const uint32_t item : active_)
      byScope[scopes_[item]].push_back(item);
    std::vector<std::vector<uint32_t> *> classes;
    for (auto &[scope, items] : byScope)
      classes.push_back(&items);
    std::stable_sort(classes.begin(), classes.end(), [this](const auto *a, const auto *b) {
      return sizes_[a->front()] < sizes_[b->front()];
    });
    size_t count = active_.size();
    for (auto *items : classes) {
      std::queue<uint32_t> queue;
      for (const uint32_t item : *items)
        queue.push(item);
      const bool isFree = sizes_[items->front()] <= freeElems_;
      while (queue.size() > 1 && (isFree || count > limit_)) {
        // Joining k items saves k - 1 operands.
        const size_t needed = isFree ? limit_ : count - limit_ + 1;
        const size_t take = std::min({queue.size(), limit_, needed});
        std::vector<uint32_t> taken;
        for (size_t i = 0; i < take; ++i) {
          taken.push_back(queue.front());
          queue.pop();
        }
        std::vector<VarId> scope = scopes_[taken.front()];
        queue.push(addGroup(std::move(taken), std::move(scope)));
        count -= take - 1;
      }
      items->clear();
      for (; !queue.empty(); queue.pop())
        items->push_back(queue.front());
    }
    active_.clear();
    for (const auto *items : classes)
      active_.insert(active_.end(), items->begin(), items->end());
    std::sort(active_.begin(), active_.end());
  }

  std::vector<VarId> unite(uint32_t a, uint32_t b) const {
    std::vector<VarId> scope;
    std::set_union(scopes_[a].begin(), scopes_[a].end(), scopes_[b].begin(), scopes_[b].end(),
                   std::back_inserter(scope),
                   [this](VarId x, VarId y) { return order_.before(x, y); });
    return scope;
  }

  uint64_t unionElems(uint32_t a, uint32_t b) const {
    uint64_t elems = sizes_[a];
    for (const VarId id : scopes_[b])
      if (!std::binary_search(scopes_[a].begin(), scopes_[a].end(), id,
                              [this](VarId x, VarId y) { return order_.before(x, y); }))
        elems = saturatingMul(elems, program_.variables[id.index()].extent);
    return elems;
  }

  /// Merges the smallest items first. An item that no other one can join for free is set aside: as
  /// products grow, it would become only more expensive.
  void mergeWhereFree() {
    std::vector<uint32_t> alone;
    while (active_.size() > 1)
      if (const auto small = mergeSmallest(freeElems_))
        alone.push_back(*small);
    active_.insert(active_.end(), alone.begin(), alone.end());
    std::sort(active_.begin(), active_.end());
  }

  /// Takes the smallest active item and joins it to the one with which its product is smallest. If
  /// that has more than `maxElems` entries, returns the item instead, no longer active.
  std::optional<uint32_t> mergeSmallest(uint64_t maxElems) {
    const auto smaller = [this](uint32_t a, uint32_t b) {
      return sizes_[a] != sizes_[b] ? sizes_[a] < sizes_[b] : a < b;
    };
    const auto least = std::min_element(active_.begin(), active_.end(), smaller);
    MPF_CHECK(active_.size() > 1, "{} items to join", active_.size());
    const uint32_t small = *least;
    active_.erase(least);
    auto best = active_.begin();
    uint64_t bestElems = UINT64_MAX;
    bool bestFree = false;
    for (auto it = active_.begin(); it != active_.end(); ++it) {
      const uint64_t elems = unionElems(*it, small);
      // A group with room and an unchanged scope takes the small item without another operation.
      const bool isFree = isGroup(*it) && members(*it).size() < limit_ && elems == sizes_[*it];
      if (elems < bestElems || (elems == bestElems && isFree && !bestFree)) {
        best = it;
        bestElems = elems;
        bestFree = isFree;
      }
    }
    if (bestElems > maxElems)
      return small;
    const uint32_t partner = *best;
    if (bestFree && partner > small) {
      members(partner).push_back(small);
      return std::nullopt;
    }
    active_.erase(best);
    active_.push_back(addGroup({small, partner}, unite(small, partner)));
    return std::nullopt;
  }

  const TableProgram &program_;
  const GlobalOrder &order_;
  const size_t limit_;
  const uint64_t freeElems_;
  const size_t operandCount_;
  std::vector<std::vector<VarId>> scopes_; ///< by item
  std::vector<uint64_t> sizes_;            ///< by item
  std::vector<uint32_t> active_;           ///< items not yet in a group
  OperandTree tree_;
};

} // namespace

OperandTree groupOperands(const TableProgram &program, const GlobalOrder &order,
                          const std::vector<TableId> &operands, const GroupingLimits &limits) {
  MPF_CHECK(limits.maxOperands >= 2, "operand limit {} cannot be reached", limits.maxOperands);
  return Grouping(program, order, operands, limits).run();
}

} // namespace mpf
