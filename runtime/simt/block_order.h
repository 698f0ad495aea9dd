// Decides which accesses of two blocks are ordered. An order arises when one block publishes (a
// fence, then an atomic operation) and another block later performs an atomic operation on the same
// word. All other conflicting accesses of two blocks are races.
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
  /// Notes a __threadfence() of a thread.
  void fence(const Moment &now) { fenced_.insert({now.block, now.thread}); }
  /// Notes an atomic operation. The thread publishes what it knows, if it has fenced before, and
  /// learns what others have published at this address.
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
