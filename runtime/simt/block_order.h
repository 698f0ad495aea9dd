// What orders accesses of two blocks: a block that publishes (fence, then an atomic operation) and
// one that sees it (an atomic operation on the same word, later). Everything else between blocks is
// a race.
#pragma once

#include "runtime/simt/moment.h"

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace mpf::simt {

class BlockOrder {
public:
  /// __threadfence() of a thread.
  void fence(const Moment &now) { fenced_.insert({now.block, now.thread}); }
  /// An atomic operation: publishes what this thread knows if it has fenced, and learns what others
  /// have published at this address.
  void atomic(const Moment &now, uintptr_t address);
  /// Whether an access of another block happened before `now`.
  bool ordered(const Moment &before, const Moment &now) const;

private:
  struct Known {
    Moment published; ///< everything of its block in earlier epochs, and of its thread
    Moment learned;   ///< by whom and when
  };
  std::set<std::pair<uint32_t, uint32_t>> fenced_;    ///< block, thread
  std::map<uintptr_t, std::vector<Moment>> released_; ///< by address
  std::map<uint32_t, std::vector<Known>> known_;      ///< by block
};

} // namespace mpf::simt
