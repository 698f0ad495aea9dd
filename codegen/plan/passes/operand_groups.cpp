#include "codegen/plan/passes/operand_groups.h"

#include "codegen/plan/program/slice_levels.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <map>
#include <queue>
#include <utility>

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
      mergeSmallest();
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

  /// Groups operands of one scope, whose product is no larger than they are. Multiplies limit_ at a
  /// time, smallest tables first, as far as there are too many operands or the product is free.
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

  /// The item that another one is joined to.
  struct Partner {
    uint32_t item = 0;
    uint64_t elems = UINT64_MAX; ///< entries of the product
    bool isFree = false;         ///< a group with room takes the item without another operation

    std::pair<uint64_t, bool> cost() const { return {elems, !isFree}; }
  };

  Partner partner(uint32_t item, uint32_t other) const {
    const uint64_t elems = unionElems(other, item);
    const bool hasRoom =
        isGroup(other) && tree_.groups[other - operandCount_].members.size() < limit_;
    return {other, elems, hasRoom && elems == sizes_[other]};
  }

  /// The partner with which the product is smallest.
  Partner bestPartner(uint32_t item) const {
    Partner best;
    for (const uint32_t other : active_)
      if (other != item)
        if (const Partner next = partner(item, other); next.cost() < best.cost())
          best = next;
    return best;
  }

  /// Joins a pair whose product is smallest, again and again, while it is free. So a small table
  /// that lies within a larger one joins that, before two small ones make a larger product.
  void mergeWhereFree() {
    std::map<uint32_t, Partner> best; // by active item
    for (const uint32_t item : active_)
      best[item] = bestPartner(item);
    while (active_.size() > 1) {
      const auto next = std::min_element(best.begin(), best.end(), [this](auto &a, auto &b) {
        return std::pair(a.second.cost(), sizes_[a.first]) <
               std::pair(b.second.cost(), sizes_[b.first]);
      });
      const auto [item, with] = *next;
      if (with.elems > freeElems_)
        return;
      const uint32_t joined = join(item, with);
      best.erase(item);
      best.erase(with.item);
      for (auto &[other, partnerOfOther] : best) {
        if (partnerOfOther.item == item || partnerOfOther.item == with.item)
          partnerOfOther = bestPartner(other);
        else if (const Partner grown = partner(other, joined); grown.cost() < partnerOfOther.cost())
          partnerOfOther = grown;
      }
      best[joined] = bestPartner(joined);
    }
  }

  /// Joins the smallest active item to the one with which its product is smallest.
  void mergeSmallest() {
    const auto smaller = [this](uint32_t a, uint32_t b) {
      return sizes_[a] != sizes_[b] ? sizes_[a] < sizes_[b] : a < b;
    };
    MPF_CHECK(active_.size() > 1, "{} items to join", active_.size());
    const uint32_t small = *std::min_element(active_.begin(), active_.end(), smaller);
    join(small, bestPartner(small));
  }

  /// Joins two items; returns the item that replaces both.
  uint32_t join(uint32_t item, const Partner &with) {
    std::erase(active_, item);
    if (with.isFree && with.item > item) {
      members(with.item).push_back(item);
      return with.item;
    }
    std::erase(active_, with.item);
    active_.push_back(addGroup({item, with.item}, unite(item, with.item)));
    return active_.back();
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
