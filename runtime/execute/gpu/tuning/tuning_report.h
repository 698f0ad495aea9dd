// The outcome of choosing kernels by measuring, for people and for tests.
#pragma once

#include <cstddef>
#include <string>

namespace mpf {

struct TuningReport {
  size_t measured = 0;   ///< kernels whose candidates were measured,
  size_t candidates = 0; ///< so many of them in all
  size_t taken = 0;      ///< kernels whose choice was in the cache
  size_t faster = 0;     ///< kernels, of both kinds, for which another than the model's was taken
  std::string note;      ///< about entries of the cache that cannot be read; empty without
};

} // namespace mpf
