// A refused allocation, wherever it was, as the error that says so.
#pragma once

#include "dsl/support/error.h"

#include <new>

namespace mpf {

/// Calls `call`; std::bad_alloc comes out as Error(MemoryBound) naming what was being done:
/// "running query Z". `doing` is called for that text only then.
template <class Doing, class Call> decltype(auto) namingMemory(const Doing &doing, Call &&call) {
  try {
    return call();
  } catch (const std::bad_alloc &) {
    fail(ErrorKind::MemoryBound, "the system refused memory for {}", doing());
  }
}

} // namespace mpf
