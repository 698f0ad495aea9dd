// Predicts the time of the table-driven kernels, with and without a compiler. A thread waits for
// each result and each term of its stretch. All threads together are bounded by the lines that
// their loads touch.
#pragma once

#include "dsl/support/semiring.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace mpf {

/// The waits of a thread that runs alone: for a result, for a term of it, and for each operand of
/// the term. Measured on one H100.
struct TableDrivenTerm {
  double resultUs = 0, termUs = 0, operandUs = 0;

  double stretchUs(double results, double terms, size_t operands) const {
    return results * resultUs + terms * (termUs + operandUs * static_cast<double>(operands));
  }
};

/// Returns the waits in an operation. A thread computes several products of plain numbers at once
/// (mpf_strips.cuh), so they wait less than all other operations (mpf_team_outputs.cuh). `packed`
/// is true if some operand is packed.
inline TableDrivenTerm tableDrivenTerm(const Semiring &semiring, ElementType type, bool packed) {
  const bool plain = semiring.combine == Combine::Times && !isIntegerType(type) && !packed;
  return plain ? TableDrivenTerm{0.15, 0.06, 0.03} : TableDrivenTerm{0.3, 0.2, 0.2};
}

// The next six constants were fitted to whole programs on one H200, where several teams share a
// multiprocessor. `mpfc calibrate` fits them to another card.
/// The factor on the waits of a thread (TableDrivenTerm) when teams share a multiprocessor.
inline constexpr double kTableTermFactor = 2.25;
/// The number of blocks of a multiprocessor that work as if each ran alone.
inline constexpr double kTableResidentBlocks = 2.75;
/// The most lines of 128 bytes that the loads of a multiprocessor touch in a microsecond.
inline constexpr double kTableLinesPerUsAndSm = 6060;
/// The bytes of device memory that all multiprocessors together read and write in a microsecond.
inline constexpr double kTableBytesPerUs = 1.5e6;
/// The time of a launch in a graph that waits for the launch before, and of each step of a block
/// whatever its terms.
inline constexpr double kTableLaunchUs = 0.15, kTableStepUs = 1.65;
/// Measured over predicted times of specialised kernels and chains. It applies when these are
/// compared with table-driven kernels.
inline constexpr double kSpecialisedFactor = 1.25;
/// The time of NVRTC to compile the text of the table-driven kernels, once for each type and GPU.
/// It was measured beside an H200 (tools/mpf-bench/results/2026-11-27-team-tiles.md); a busy core
/// took 7 s.
inline constexpr double kTableCompileUs = 2.4e6;
/// The lines that a load of a warp touches if the strides are not known.
inline constexpr double kUsualLines = 4;

/// Returns the lines that a warp touches when it loads the entries of one term, from every operand,
/// for 32 neighbouring results. `operation` has digits and accesses with strides
/// (StridedOperation).
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
