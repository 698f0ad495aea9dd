// The common part of both replacements of the allocator: the chosen allocation finds no memory, the
// others are counted.
#pragma once

#include "tests/inject/points.h"

#include <atomic>
#include <cerrno>
#include <cstddef>

namespace inject {

inline std::atomic<long> liveBlocks{0};

inline bool isRefused(size_t bytes) {
  const Verdict verdict = arrive(Kind::alloc, bytes);
  if (verdict.how == How::KillBefore || verdict.how == How::KillAfter)
    killSelf();
  if (verdict.how == How::Fail)
    errno = ENOMEM;
  return verdict.how == How::Fail;
}

inline void *counted(void *block) {
  if (block != nullptr)
    ++liveBlocks;
  return block;
}

inline void discount(void *block) {
  if (block != nullptr)
    --liveBlocks;
}

/// Counts the blocks of a realloc that succeeded.
inline void *countedAgain(void *before, size_t bytes, void *moved) {
  if (before == nullptr)
    return counted(moved);
  if (bytes == 0)
    --liveBlocks;
  return moved;
}

} // namespace inject
