// What a matrix plan implies: questions that the builder, the model, the verifier, the emitters and
// the interpreter ask, answered in one place (as kernel_shape.h does for the other families).
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/matrix_plan.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Matrix instructions of f32 round every sum down: 5.9e-6 off after 512 terms, 4.8e-5 after 4096
/// (H200, positive entries). Longer sums are left to the other families.
inline constexpr uint64_t kMostSingleTerms = 256;

/// One addend of an offset over a fused digit: value / divisor % modulus * stride (modulus 0:
/// none).
struct FusedPart {
  uint64_t divisor = 1, modulus = 0, stride = 0;
};
/// The offset of a fused value in a table; digits that continue each other there share a part.
std::vector<FusedPart> fusedParts(const DigitForm &form, const std::vector<DigitId> &digits,
                                  const DigitAccess &access);
uint64_t fusedOffset(const std::vector<FusedPart> &parts, uint64_t value);
/// Offset = value * stride for every value: no division is needed.
bool isLinear(const std::vector<FusedPart> &parts);
uint64_t fusedExtent(const DigitForm &form, const std::vector<DigitId> &digits); ///< saturating

struct MatrixCounts {
  uint64_t batches = 1, rows = 1, columns = 1, terms = 1; ///< extents of the fused digits
  uint64_t rowTiles = 1, columnTiles = 1, pages = 1;
  uint64_t tiles = 1; ///< of all batches, saturating
  uint32_t threads = 32;
  bool termsGuarded = false; ///< the last page is not full
};
MatrixCounts matrixCounts(const MatrixPlan &plan);
/// Its entries are products, or logarithms whose exponents are split off: loaded and stored, while
/// others are copied asynchronously.
bool isFormed(const MatrixPlan &plan, const MatrixSide &side);
/// The side whose pages stay; null where both sides' come and go.
const MatrixSide *stationarySide(const MatrixPlan &matrix);
/// Pages that come and go are formed; are copied. Both where the sides differ.
bool formsPages(const MatrixPlan &plan);
bool copiesPages(const MatrixPlan &plan);
/// The last tile of a side is not full.
bool isRagged(const MatrixPlan &plan, const MatrixSide &side);
/// Elements of a side's segment: its stages, or all pages where it is stationary; saturating.
uint64_t segmentElems(const MatrixPlan &plan, const MatrixSide &side);
/// Instruction steps of a page: units of 8 terms, or an instruction's where it takes more.
uint64_t matrixSteps(const MatrixPlan &matrix);
/// Values of one warp.
uint64_t warpTile(const MatrixSide &side);

/// place() of matrix_plan.h: which value of a unit's 16 an instruction's position stands for.
bool isInterleaved(const MatrixSide &side); ///< by the second form: 2 * n + half
uint64_t unitPlace(const MatrixSide &side, uint64_t position, uint64_t half);
/// Offset of (value, term) in a stage of the segment.
uint64_t segmentOffset(const MatrixSide &side, uint64_t value, uint64_t term);

/// How a page's entries are dealt to the threads: `fast` vectors of the direction that `alongTerms`
/// names, and of the other the values across + j * step, j < count. Along terms, lanes first take
/// four terms of `block` values, which are neighbours in the segment: what an asynchronous copy of
/// eight lanes writes should be one row of all banks.
struct MatrixShare {
  uint64_t fast = 1, step = 1, count = 1;
  uint64_t busyThreads = 1; ///< the others fetch nothing
  uint64_t within = 1;      ///< vectors that follow one another in consecutive threads
  uint64_t block = 1;       ///< values across that consecutive threads take before the next vectors
};
struct MatrixPlace {
  uint64_t along = 0, across = 0; ///< of a thread's first vector (j = 0)
};
MatrixPlace matrixPlace(const MatrixSide &side, const MatrixShare &share, uint64_t thread);
MatrixShare matrixShare(const MatrixPlan &matrix, const MatrixSide &side, uint32_t threads);

/// Entries that lie next to each other in a segment may be fetched in pairs: the fastest digit of
/// the direction has an even extent.
bool pairsAllowed(const MatrixPlan &plan, const MatrixSide &side);
/// Such a pair is also one aligned pair in the table of `operand`: one load of 16 bytes.
bool pairContiguous(const MatrixPlan &plan, const MatrixSide &side, uint32_t operand);
/// How results leave: a warp puts eight rows of its tile (one half of a unit, matrix_plan.h) in
/// shared memory, where the pages were (behind them if those of the next tile are on their way),
/// and stores them with its lanes along the columns.
struct MatrixStore {
  uint64_t offsetElems = 0;  ///< of the first warp
  uint64_t strideElems = 0;  ///< from one of the eight rows to the next
  uint64_t warpElems = 0;    ///< of one warp
  uint64_t lanes = 32;       ///< along a row, a power of two; the others store further rows
  uint64_t slots = 1;        ///< vectors of a row that a lane stores
  bool conflictFree = false; ///< neither writing nor reading it conflicts
};
MatrixStore matrixStore(const MatrixPlan &plan);
uint64_t matrixSharedBytes(const MatrixPlan &plan); ///< pages and results; saturating

/// `width` neighbouring columns are aligned neighbours in the result: 1, 2 or, of f32, 4.
bool storeAllowed(const MatrixPlan &plan, uint32_t width);

/// Sets strides and allocation; unpadded but for what keeps requests free of conflicts.
void layOutSide(const MatrixPlan &plan, MatrixSide &side);
/// Fragment loads and staging stores of a page without any bank conflict (bank_conflicts.h).
bool isConflictFree(const MatrixPlan &plan, const MatrixSide &side, const Target &target);

/// Largest offset of any table that is computed, ragged tiles included; saturating.
uint64_t matrixReach(const MatrixPlan &plan);

/// The operand's value changes with a digit of the list.
bool variesOver(const DigitForm &form, uint32_t operand, const std::vector<DigitId> &digits);

} // namespace mpf
