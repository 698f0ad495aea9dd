// SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators"): random
// numbers that are the same on every machine, which the distributions of the C++ library do not
// promise.
#pragma once

#include <cstdint>

namespace mpf {

/// Mixes 64 bits: a fixed bijection.
inline uint64_t mixBits(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

inline constexpr uint64_t kGoldenGamma = 0x9e3779b97f4a7c15u;

/// Returns the next number of the generator, and changes its state.
inline uint64_t nextRandom(uint64_t &state) { return mixBits(state += kGoldenGamma); }

} // namespace mpf
