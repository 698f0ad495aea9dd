// SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators"):
// numbers that are the same on every machine, as no generator or distribution of the C++ library
// promises for all uses.
#pragma once

#include <cstdint>

namespace mpf {

/// A fixed mixing of 64 bits.
inline uint64_t mixBits(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

inline constexpr uint64_t kGoldenGamma = 0x9e3779b97f4a7c15u;

/// The next number of the generator with this state.
inline uint64_t nextRandom(uint64_t &state) { return mixBits(state += kGoldenGamma); }

} // namespace mpf
