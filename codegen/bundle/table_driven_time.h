// What the table-driven kernels take, for predictions with and without a compiler: a thread waits
// for each result and each term of its stretch; all threads together are bounded by the lines that
// their loads touch.
#pragma once

#include "dsl/support/semiring.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace mpf {

/// What a thread waits, whatever else runs: for a result, for a term of it, and for each operand of
/// the term. Measured on one H100.
struct TableDrivenTerm {
  double resultUs = 0, termUs = 0, operandUs = 0;

  double stretchUs(double results, double terms, size_t operands) const {
    return results * resultUs + terms * (termUs + operandUs * static_cast<double>(operands));
  }
};

/// In products of plain numbers, of which a thread computes several at once (mpf_strips.cuh), and
/// of anything else (mpf_team_outputs.cuh). `packed`: some operand is.
inline TableDrivenTerm tableDrivenTerm(const Semiring &semiring, ElementType type, bool packed) {
  const bool plain = semiring.combine == Combine::Times && !isIntegerType(type) && !packed;
  return plain ? TableDrivenTerm{0.15, 0.06, 0.03} : TableDrivenTerm{0.3, 0.2, 0.2};
}

/// Fitted to whole programs on one H200, where several teams share a multiprocessor: what a thread
/// waits, over the times above; the blocks of a multiprocessor that work as if each were alone; the
/// lines of 128 bytes that its loads touch in a microsecond, at most; the bytes of device memory
/// that all of them read and write in one. `mpfc calibrate` fits them to another card.
inline constexpr double kTableTermFactor = 2.25;
inline constexpr double kTableResidentBlocks = 2.75;
inline constexpr double kTableLinesPerUsAndSm = 6060;
inline constexpr double kTableBytesPerUs = 1.5e6;
/// Fitted with them: of a launch that waits for the one before, in a graph, and of each step of a
/// block, whatever its terms.
inline constexpr double kTableLaunchUs = 0.15, kTableStepUs = 1.65;
/// Of specialised kernels and chains: measured over predicted, where the two are compared.
inline constexpr double kSpecialisedFactor = 1.25;
/// To compile their text by NVRTC, once for each type and GPU: what it took beside an H200
/// (tools/mpf-bench/results/2026-11-27-team-tiles.md); 7 s on a busy core.
inline constexpr double kTableCompileUs = 2.4e6;
/// What a load of a warp touches where the strides are not known.
inline constexpr double kUsualLines = 4;

/// The lines that a warp touches which loads, for 32 neighbouring results, the entries of one term
/// from every operand. `operation`: digits and accesses with strides (StridedOperation).
template <class Operation> double linesOfWarp(const Operation &operation, double entryBytes) {
  constexpr double kWarp = 32, kLineBytes = 128;
  double sum = 0;
  for (const auto &operand : operation.operands) {
    double results = 1, lines = 1, bytes = entryBytes; // of what stands close together
    for (size_t d = operation.keptCount(); d-- > 0 && results < kWarp;) {
      const double extent =
          std::min(static_cast<double>(operation.digits[d].extent), kWarp / results);
      const double strideBytes = static_cast<double>(operand.stridesElems[d]) * entryBytes;
      results *= extent;
      if (strideBytes >= kLineBytes)
        lines *= extent;
      else
        bytes += (extent - 1) * strideBytes;
    }
    sum += lines * std::max(1.0, bytes / kLineBytes);
  }
  return sum;
}

} // namespace mpf
