#include "runtime/simt/block_order.h"

#include <algorithm>

namespace mpf::simt {

namespace {
bool sees(const Moment &learned, const Moment &now) {
  return learned.thread == now.thread || learned.epoch < now.epoch;
}
} // namespace

void BlockOrder::atomic(const Moment &now, uintptr_t address) {
  std::map<Thread, uint32_t> &released = released_[address];
  const std::map<Thread, uint32_t> earlier = released;
  const auto publish = [&released](const Thread &thread, uint32_t epoch) {
    uint32_t &last = released.try_emplace(thread, epoch).first->second;
    last = std::max(last, epoch);
  };
  const Thread own = {now.block, now.thread};
  if (fenced_.contains(own)) {
    publish(own, now.epoch);
    // The thread also publishes the knowledge of its block.
    for (const auto &[thread, list] : known_[now.block])
      for (const Known &entry : list)
        if (sees(entry.learned, now))
          publish(thread, entry.epoch);
  }
  learn(now, earlier);
}

void BlockOrder::acquire(const Moment &now, uintptr_t address) { learn(now, released_[address]); }

void BlockOrder::learn(const Moment &now, const std::map<Thread, uint32_t> &published) {
  std::map<Thread, std::vector<Known>> &known = known_[now.block];
  for (const auto &[thread, epoch] : published) {
    std::vector<Known> &list = known[thread];
    const bool isNew = std::ranges::none_of(
        list, [&](const Known &entry) { return entry.epoch >= epoch && sees(entry.learned, now); });
    if (!isNew)
      continue;
    // The new entry replaces earlier ones of the same moment that imply less.
    std::erase_if(list, [&](const Known &entry) {
      return entry.epoch <= epoch && entry.learned.epoch == now.epoch &&
             entry.learned.thread == now.thread;
    });
    list.push_back({epoch, now});
  }
}

bool BlockOrder::ordered(const Moment &before, const Moment &now) const {
  const auto block = known_.find(now.block);
  if (block == known_.end())
    return false;
  const std::map<Thread, std::vector<Known>> &known = block->second;
  return std::any_of(known.lower_bound({before.block, 0}), known.lower_bound({before.block + 1, 0}),
                     [&](const auto &of) {
                       const bool isOwn = of.first.second == before.thread;
                       return std::ranges::any_of(of.second, [&](const Known &entry) {
                         return sees(entry.learned, now) &&
                                (isOwn ? before.epoch <= entry.epoch : before.epoch < entry.epoch);
                       });
                     });
}

} // namespace mpf::simt
