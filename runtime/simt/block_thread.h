// A thread of a block that the checker runs: its fibre, what it waits for, and its asynchronous
// copies.
#pragma once

#include "runtime/simt/fibre.h"
#include "runtime/simt/memory.h"

#include <array>
#include <cstddef>
#include <deque>
#include <vector>

namespace mpf::simt {

enum class ThreadState { Ready, Barrier, Collective, Await, Done };

/// A warp operation that a thread waits in.
struct WarpCall {
  int kind = 0; ///< SimtCollective
  uint32_t mask = 0;
  uint64_t value = 0; ///< argument, then result
  uint32_t source = 0;
};

/// The rights of a thread while an earlier launch may still run.
struct LaunchOverlap {
  bool overlaps = false; ///< an earlier launch may still run
  bool mayLoad = true;   ///< may load from tables while it overlaps
  bool mayStore = true;  ///< may store to tables while it overlaps

  void begin(bool stores) {
    mayLoad = true;
    mayStore = stores;
  }
  /// Whether an access to a table now comes too early.
  bool forbids(AccessKind kind) const {
    return overlaps && !(kind == AccessKind::Load ? mayLoad : mayStore);
  }
};

/// An asynchronous copy into shared memory, with the data that it read.
struct AsyncCopy {
  uint32_t site = 0;
  void *to = nullptr;
  uint32_t bytes = 0;
  std::array<std::byte, 16> data{};
};

struct BlockThread {
  Fibre fibre;
  ThreadState state = ThreadState::Done;
  int barrierLine = 0;
  WarpCall call;
  const unsigned *counter = nullptr; ///< the counter that the thread waits for
  unsigned count = 0;                ///< the value that it waits for
  uint32_t logged = 0;               ///< accesses since the thread was last resumed
  LaunchOverlap launch;
  std::vector<AsyncCopy> openCopies;
  std::deque<std::vector<AsyncCopy>> copyGroups; ///< committed, oldest first

  bool isAwake() const { return state == ThreadState::Await && *counter >= count; }
};

} // namespace mpf::simt
