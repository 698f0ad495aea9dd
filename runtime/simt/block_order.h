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
  /// Notes an atomic operation. The thread publishes what it knows if it has fenced before, and
  /// learns what others have published at this address.
  void atomic(const Moment &now, uintptr_t address);
  /// Notes the end of a wait: the thread learns what others have published at this address.
  void acquire(const Moment &now, uintptr_t address);
  /// Whether an access of another block happened before `now`.
  bool ordered(const Moment &before, const Moment &now) const;

private:
  using Thread = std::pair<uint32_t, uint32_t>; ///< block, thread
  /// Knowledge of a block about a thread of another block: all accesses of that thread's block in
  /// epochs before `epoch`, and those of the thread itself up to `epoch`.
  struct Known {
    uint32_t epoch = 0;
    Moment learned; ///< the thread that learned it, and when
  };
  void learn(const Moment &now, const std::map<Thread, uint32_t> &published);

  std::set<Thread> fenced_;
  /// The last published epoch of each thread; by address.
  std::map<uintptr_t, std::map<Thread, uint32_t>> released_;
  /// The knowledge of each block about each thread, in the order in which it learned it.
  std::map<uint32_t, std::map<Thread, std::vector<Known>>> known_;
};

} // namespace mpf::simt
