#include "runtime/simt/block_order.h"

#include <algorithm>

namespace mpf::simt {

namespace {
bool sees(const Moment &learned, const Moment &now) {
  return learned.thread == now.thread || learned.epoch < now.epoch;
}
} // namespace

void BlockOrder::atomic(const Moment &now, uintptr_t address) {
  std::vector<Known> &known = known_[now.block];
  std::vector<Moment> &released = released_[address];
  const std::vector<Moment> earlier = released;
  if (fenced_.contains({now.block, now.thread})) {
    released.push_back(now);
    for (const Known &entry : known) // knowledge is handed on
      if (sees(entry.learned, now))
        released.push_back(entry.published);
  }
  for (const Moment &published : earlier)
    known.push_back({published, now});
}

bool BlockOrder::ordered(const Moment &before, const Moment &now) const {
  const auto found = known_.find(now.block);
  return found != known_.end() && std::ranges::any_of(found->second, [&](const Known &entry) {
           return entry.published.block == before.block && sees(entry.learned, now) &&
                  (entry.published.thread == before.thread ? before.epoch <= entry.published.epoch
                                                           : before.epoch < entry.published.epoch);
         });
}

} // namespace mpf::simt
