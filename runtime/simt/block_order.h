// Decides which accesses of two blocks are ordered. An order arises when one block publishes (a
// fence, then an atomic operation) and another block later performs an atomic operation on the same
// word, or waits until the word has a value. All other conflicting accesses of two blocks are
// races.
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
  /// Notes the end of a wait: the thread learns what others have published at this address.
  void acquire(const Moment &now, uintptr_t address);
  /// Whether an access of another block happened before `now`.
  bool ordered(const Moment &before, const Moment &now) const;

private:
  using Thread = std::pair<uint32_t, uint32_t>; ///< block, thread
  /// What somebody learned of a thread: everything of its block in epochs before `epoch`, and what
  /// the thread itself did up to then.
  struct Known {
    uint32_t epoch = 0;
    Moment learned; ///< by whom and when
  };
  void learn(const Moment &now, const std::map<Thread, uint32_t> &published);

  std::set<Thread> fenced_;
  std::map<uintptr_t, std::map<Thread, uint32_t>> released_; ///< by address: the last epoch of each
  /// By block: of each thread that it knows of, in the order in which it learned.
  std::map<uint32_t, std::map<Thread, std::vector<Known>>> known_;
};

} // namespace mpf::simt
