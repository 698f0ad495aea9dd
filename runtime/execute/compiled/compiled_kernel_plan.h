// OWN PLAN: how the C++ kernel that is written for one CPU operation loops.
//
//   pieces, outer     kept digits, one loop each; pieces are what threads share
//   lanes             the fastest kept digits: neighbours in the result, one vector after the other
//   inner             a kept digit inside the lanes: what lacks it is loaded and multiplied once
//   sums              reduced digits, one loop each, around accumulators in registers
//   terms             reduced digits written out
//
// Linear entries only (sums, maxima, minima of products or of plain sums): the executor's bounds
// decide whether linear arithmetic is exact; logarithms run on the built-in kernels.
#pragma once

#include "runtime/execute/cpu/cpu_operation.h"

namespace mpf {

/// Bytes of the vectors that the text is written in, on any machine: those of AVX2.
inline constexpr size_t kCompiledVectorBytes = 32;

struct CompiledKernelPlan {
  StoredSemiring semiring = StoredSemiring::SumTimes;
  ElementType type = ElementType::F64;
  size_t operandCount = 0;
  std::vector<LoopDigit> pieces, outer, lanes;
  /// Lanes of one block; a divisor of nothing: the last block is shorter. More than one block only
  /// where `lanes` is a single digit.
  uint64_t blockLanes = 1;
  /// Lanes of one piece, a multiple of blockLanes: the pieces of the lanes are the fastest digit of
  /// the piece number.
  uint64_t pieceLanes = 1;
  LoopDigit inner;          ///< extent 1: none
  uint64_t innerCopies = 1; ///< of its addresses written out together; divides its extent
  std::vector<LoopDigit> sums, terms;
  double timeNs = 0; ///< predicted, one thread

  size_t resultSlot() const { return operandCount; }
  uint64_t laneCount() const { return addressCount(lanes); }
  uint64_t lanePieces() const { return (laneCount() + pieceLanes - 1) / pieceLanes; }
  /// What a run is split into: pieces write different entries.
  uint64_t pieceCount() const { return addressCount(pieces) * lanePieces(); }
  /// Offset of the slot's entry at an address over `digits`, the last digit fastest.
  static uint64_t offsetOf(std::span<const LoopDigit> digits, size_t slot, uint64_t address);
  /// Whether the operand has one of the digits.
  static bool moves(std::span<const LoopDigit> digits, size_t slot);
};

} // namespace mpf
