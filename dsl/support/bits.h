// Sets of small numbers in the bits of a word.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace mpf {

/// Calls f(i) for the members of a set, ascending.
template <class F> void forBits(uint64_t set, F f) {
  for (; set != 0; set &= set - 1)
    f(static_cast<size_t>(std::countr_zero(set)));
}

} // namespace mpf
