// Turns std::bad_alloc into an Error that names the purpose of the memory.
#pragma once

#include "dsl/support/check.h"

#include <new>

namespace mpf {

/// Returns call(). If that throws std::bad_alloc, throws Error(MemoryBound) with the text of
/// doing(), such as "running query Z", which is called only then.
template <class Doing, class Call> decltype(auto) namingMemory(const Doing &doing, Call &&call) {
  try {
    return call();
  } catch (const std::bad_alloc &) {
    fail(ErrorKind::MemoryBound, "the system refused memory for {}", doing());
  }
}

} // namespace mpf
