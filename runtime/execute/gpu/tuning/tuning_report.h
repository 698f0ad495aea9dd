// The outcome of choosing kernels by measuring, for people and for tests.
#pragma once

#include <cstddef>
#include <string>

namespace mpf {

struct TuningReport {
  size_t measured = 0;   ///< kernels whose candidates were measured
  size_t candidates = 0; ///< measured candidates in all
  size_t taken = 0;      ///< kernels whose choice was in the cache
  size_t faster = 0;     ///< kernels of both kinds whose choice differs from the model's
  std::string note;      ///< about unreadable entries of the cache; empty if there are none
};

} // namespace mpf
