// Products that a strip computes in one pass over a message.
//
// Most work in linkage and other chained models multiplies a large message by tables of 2 x 2
// entries, one after the other. Each replaces a digit of two states by another one.
//
// A *butterfly* takes up to three of these products at once, like the stages of a Fourier transform
// of radix 8. Eight entries of the message are loaded, multiplied by all tables in registers, and
// stored. The messages between the products are never in memory. Sums have equal terms in equal
// order.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "codegen/bundle/lanes/linear_plan.h"
#include "runtime/execute/lanes/kernels/lane_kernels.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpf {

/// The strides of a butterfly's digits in one of its tables, in entries.
struct ButterflyAccess {
  uint32_t table = 0;
  uint64_t baseElems = 0;
  std::vector<uint64_t> stridesElems; ///< by passive digit
  /// Strides by stage: of the state that the stage replaces, or, in the result and in tables of
  /// later stages, of the state that it makes.
  std::array<uint64_t, kMostStages> stageStrides{};
  uint64_t madeStride = 0; ///< in the stage's table: stride of the state that it makes
};

/// A run of operations of a program, each of which multiplies the result of the one before.
struct Butterfly {
  std::vector<size_t> steps; ///< steps of the program, ascending; one for each stage, at least two
  std::vector<uint64_t> extents; ///< extents of passive digits: those that all stages keep
  ButterflyAccess input, result;
  std::vector<ButterflyAccess> tables; ///< by stage
};

/// Returns all butterflies of a program, ordered by their last steps. They run at the last step,
/// because other steps in between may make their tables. No step is in two butterflies. Only the
/// last result of each is rescaled or read by other steps.
std::vector<Butterfly> findButterflies(const LaneProgram &program, const LinearPlan &plan);

} // namespace mpf
