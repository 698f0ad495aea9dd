// Random draws that are the same with every standard library.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace mpf::bench {

class RandomDraw {
public:
  explicit RandomDraw(uint64_t seed) : random_(seed) {}

  /// Uniform in [low, high]; the bias of the remainder is below 2^-50 for the ranges used here.
  uint32_t between(uint32_t low, uint32_t high) {
    return low + static_cast<uint32_t>(random_() % (uint64_t{high} - low + 1));
  }
  double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
  /// Log-uniform in [low, high), both positive.
  double logUniform(double low, double high) {
    return low * std::exp2(uniform() * std::log2(high / low));
  }
  template <class T> void shuffle(std::vector<T> &items) {
    for (size_t i = items.size(); i > 1; --i)
      std::swap(items[i - 1], items[random_() % i]);
  }

private:
  std::mt19937_64 random_;
};

} // namespace mpf::bench
