// Draws seeded grids that are swept column by column: the message holds one variable of every row,
// and each step takes one in and one out. Chains are made for such models; these have the size of
// tests.
#pragma once

#include "dsl/model/model.h"

#include <cstdint>
#include <random>

namespace mpf::oracle {

struct SweepModelOptions {
  uint32_t rows = 6, columns = 3;
  uint32_t maxExtent = 2;
  double leastLog2 = -2; ///< values between 2^leastLog2 and 1
  double zeroShare = 0.05;
};

/// Draws a model with an order for all of its variables, and one query for the evidence. The same
/// generator state gives the same model on every machine.
Model sweepModel(std::mt19937_64 &random, const SweepModelOptions &options);

} // namespace mpf::oracle
