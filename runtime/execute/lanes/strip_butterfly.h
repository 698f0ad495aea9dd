// Products that a strip computes in one pass over a message.
//
// In linkage and other chained models most work is a large message times one table of 2 x 2 entries
// after the other, each of which replaces a digit of two states by another one. As the stages of a
// Fourier transform of radix 8 do, a *butterfly* takes up to three of these at once: eight entries
// of the message are loaded, multiplied by all tables in registers, and stored. The messages
// between them are never in memory. Sums have the same terms in the same order.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "codegen/bundle/lanes/linear_plan.h"
#include "runtime/execute/lanes/kernels/lane_kernels.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpf {

/// How the digits of a butterfly move one of its tables, in entries.
struct ButterflyAccess {
  uint32_t table = 0;
  uint64_t baseElems = 0;
  std::vector<uint64_t> stridesElems; ///< by passive digit
  /// By stage: of the state that it replaces, in the result and in tables of later stages of the
  /// state that it makes.
  std::array<uint64_t, kMostStages> stageStrides{};
  uint64_t madeStride = 0; ///< a stage's own table: of the state that it makes
};

/// A run of operations of a program, each of which multiplies the result of the one before.
struct Butterfly {
  std::vector<size_t> steps;     ///< of the program, ascending; one for each stage, at least two
  std::vector<uint64_t> extents; ///< of passive digits: those that all stages keep
  ButterflyAccess input, result;
  std::vector<ButterflyAccess> tables; ///< by stage
};

/// All butterflies of a program, by their last steps, at which they run: their tables may be made
/// between their steps. No step is in two. Only the last result of each is rescaled, and only that
/// one is read by others.
std::vector<Butterfly> findButterflies(const LaneProgram &program, const LinearPlan &plan);

} // namespace mpf
