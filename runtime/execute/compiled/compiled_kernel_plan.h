// COMPILED KERNEL PLAN: the loops of the compiled kernel of one CPU operation, outermost first.
//
//   pieces, outer     kept digits, one loop each; threads share out the pieces
//   lanes             the fastest kept digits: neighbours in the result, one vector after another
//   inner             a kept digit inside the lanes: for all of its values, operands without it are
//                     loaded once
//   sums              reduced digits, one loop each, around accumulators in registers
//   terms             reduced digits, fully unrolled
//
// Compiled kernels handle linear entries only: sums, maxima and minima of products, and maxima and
// minima of plain sums. The executor decides as for other kernels whether linear arithmetic is
// exact; operations on logarithms run on the built-in kernels.
#pragma once

#include "runtime/execute/cpu/cpu_operation.h"

namespace mpf {

/// Bytes per vector in the text, on any machine (the width of AVX2).
inline constexpr size_t kCompiledVectorBytes = 32;

struct CompiledKernelPlan {
  StoredSemiring semiring = StoredSemiring::SumTimes;
  ElementType type = ElementType::F64;
  size_t operandCount = 0;
  std::vector<LoopDigit> pieces, outer, lanes;
  /// Lanes per block. The last block may be shorter. There is more than one block only if `lanes`
  /// is a single digit.
  uint64_t blockLanes = 1;
  /// Lanes per piece, a multiple of blockLanes. The pieces along the lanes are the fastest digit of
  /// the piece number.
  uint64_t pieceLanes = 1;
  LoopDigit inner;          ///< extent 1: there is no inner digit
  uint64_t innerCopies = 1; ///< values of the inner digit unrolled together; divides its extent
  std::vector<LoopDigit> sums, terms;
  double timeNs = 0; ///< predicted time on one thread

  size_t resultSlot() const { return operandCount; }
  uint64_t laneCount() const { return addressCount(lanes); }
  uint64_t lanePieces() const { return (laneCount() + pieceLanes - 1) / pieceLanes; }
  /// Returns the number of pieces of a run; pieces write different entries.
  uint64_t pieceCount() const { return addressCount(pieces) * lanePieces(); }
  /// Returns the offset of `slot`, in elements, at an address over `digits`, the last digit
  /// fastest.
  static uint64_t offsetOf(std::span<const LoopDigit> digits, size_t slot, uint64_t address);
  /// True if the table in `slot` has one of the digits.
  static bool moves(std::span<const LoopDigit> digits, size_t slot);
};

} // namespace mpf
