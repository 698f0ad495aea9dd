// Calls a compiled kernel (compiled_text.h) on tables in memory.
#pragma once

#include "runtime/execute/cpu/cpu_run.h"
#include "runtime/execute/host/exponent_bits.h"

namespace mpf {

template <class T>
void runCompiled(void *function, const RunArgs<T> &args, uint64_t begin, uint64_t end,
                 WrittenRange<T> &range) {
  using Kernel = void (*)(const T *const *, T *, T, unsigned long, unsigned long, T *);
  T seen[2] = {std::numeric_limits<T>::infinity(), 0};
  reinterpret_cast<Kernel>(function)(args.entries.data(), args.result,
                                     static_cast<T>(powerOfTwo(-args.shift)), begin, end, seen);
  if (seen[1] > 0) {
    range.add(seen[0]);
    range.add(seen[1]);
  }
}

} // namespace mpf
