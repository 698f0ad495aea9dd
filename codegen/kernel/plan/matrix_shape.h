// Quantities that follow from a matrix plan (matrix_plan.h). The builder, the cost model, the
// verifier, the emitters and the interpreter all call these functions, so that they cannot disagree
// (kernel_shape.h does the same for nest plans). Offsets and strides are in elements.
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/matrix_plan.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// The longest sum of f32, in terms, for which matrix plans are built. Matrix instructions of f32
/// round every sum down: the relative error is 5.9e-6 after 512 terms and 4.8e-5 after 4096 (H200,
/// positive entries). Longer sums are left to the other families.
inline constexpr uint64_t kMostSingleTerms = 256;

/// One addend of an offset over a fused digit: value / divisor % modulus * stride (modulus 0:
/// none).
struct FusedPart {
  uint64_t divisor = 1, modulus = 0, stride = 0;
};
/// The parts whose sum is the offset of a fused value in a table, least significant first. Digits
/// that continue each other in the table share a part.
std::vector<FusedPart> fusedParts(const DigitForm &form, const std::vector<DigitId> &digits,
                                  const DigitAccess &access);
/// The offset of a fused value in the table of the parts.
uint64_t fusedOffset(const std::vector<FusedPart> &parts, uint64_t value);
/// Whether the offset is value * stride for every value, so that no division is needed.
bool isLinear(const std::vector<FusedPart> &parts);
uint64_t fusedExtent(const DigitForm &form, const std::vector<DigitId> &digits); ///< saturating

struct MatrixCounts {
  uint64_t batches = 1, rows = 1, columns = 1, terms = 1; ///< extents of the fused digits
  uint64_t rowTiles = 1, columnTiles = 1; ///< tiles of one batch; the last ones may be ragged
  uint64_t pages = 1;                     ///< pages of one tile
  uint64_t tiles = 1;                     ///< batches * rowTiles * columnTiles, saturating
  uint32_t threads = 32;                  ///< threads of a block
  bool termsGuarded = false;              ///< the last page is not full
};
/// Throws Error(Internal) if a tile or the chunk of the plan is 0.
MatrixCounts matrixCounts(const MatrixPlan &plan);
/// Whether threads form the entries of this side: products of operands, or mantissas of logarithms.
/// They load the operands into registers and store what they form. A side that is not formed is a
/// single operand, copied to shared memory asynchronously.
bool isFormed(const MatrixPlan &plan, const MatrixSide &side);
/// The stationary side, or null where neither is.
const MatrixSide *stationarySide(const MatrixPlan &matrix);
/// Whether a side that is not stationary is formed (formsPages) or copied (copiesPages). Both are
/// true where one side is formed and the other copied.
bool formsPages(const MatrixPlan &plan);
bool copiesPages(const MatrixPlan &plan);
/// Whether the last tile of a side is not full.
bool isRagged(const MatrixPlan &plan, const MatrixSide &side);
/// Elements of a side's segment: all its stages, or all its pages where it is stationary;
/// saturating.
uint64_t segmentElems(const MatrixPlan &plan, const MatrixSide &side);
/// Instruction steps per page. A step has 8 terms, or instruction.terms where that is more.
uint64_t matrixSteps(const MatrixPlan &matrix);
/// Values of `digits` per warp.
uint64_t warpTile(const MatrixSide &side);

/// Whether the side uses the second form of place() in matrix_plan.h, 2 * n + half.
bool isInterleaved(const MatrixSide &side);
/// place() of matrix_plan.h: returns the one of the 16 values of a unit that is at (position,
/// half).
uint64_t unitPlace(const MatrixSide &side, uint64_t position, uint64_t half);
/// Offset of (value, term) in a stage of the segment.
uint64_t segmentOffset(const MatrixSide &side, uint64_t value, uint64_t term);

/// How the entries of a page of one side are dealt to the threads. One direction of the page is
/// *along*: the terms if side.alongTerms, else the values of side.digits. The other is *across*. A
/// thread fetches, at one place along, the vectors at across + j * step for j < count.
///
/// If alongTerms, lanes first take the four terms of a group for `block` values across. These
/// entries are neighbours in the segment: an asynchronous copy of eight lanes should write one row
/// of all banks.
struct MatrixShare {
  uint64_t fast = 1, step = 1, count = 1; ///< `fast`: vectors along
  uint64_t busyThreads = 1;               ///< fast * step; the other threads fetch nothing
  uint64_t within = 1; ///< vectors along that consecutive threads take one after another
  uint64_t block = 1;  ///< values across that they take before the next vectors along
};
/// Where a thread's first vector (j = 0) starts in the page, in entries.
struct MatrixPlace {
  uint64_t along = 0, across = 0;
};
/// `share`: of this side; `thread`: below share.busyThreads.
MatrixPlace matrixPlace(const MatrixSide &side, const MatrixShare &share, uint64_t thread);
/// How `threads` threads share a page of the side. `step` and `count` are 0 where there are too few
/// of them for one row of vectors.
MatrixShare matrixShare(const MatrixPlan &matrix, const MatrixSide &side, uint32_t threads);

/// Whether entries may be fetched and stored into the segment in pairs. The fastest digit of the
/// direction along must have an even extent. If the side is a single operand, pairContiguous must
/// hold too.
bool pairsAllowed(const MatrixPlan &plan, const MatrixSide &side);
/// Whether such a pair is also one aligned pair in the table of `operand`, so that one load brings
/// both entries.
bool pairContiguous(const MatrixPlan &plan, const MatrixSide &side, uint32_t operand);
/// How a block stores its results. Each warp writes eight rows of its tile (one half of a unit,
/// matrix_plan.h) to shared memory and stores them from there with its lanes along the columns. The
/// rows overwrite the pages. In persistent plans they are behind the pages, because the pages of
/// the next tile are already being fetched.
struct MatrixStore {
  uint64_t offsetElems = 0;  ///< start of the first warp's rows in shared memory
  uint64_t strideElems = 0;  ///< from one of the eight rows to the next
  uint64_t warpElems = 0;    ///< from one warp's rows to the next warp's
  uint64_t lanes = 32;       ///< lanes along a row, a power of two; the others store further rows
  uint64_t slots = 1;        ///< vectors of a row that a lane stores
  bool conflictFree = false; ///< neither writing nor reading these rows conflicts
};
MatrixStore matrixStore(const MatrixPlan &plan);
uint64_t matrixSharedBytes(const MatrixPlan &plan); ///< pages and results; saturating

/// Whether `width` neighbouring columns are aligned neighbours in the result. False for widths
/// other than 1, 2 and, for f32, 4.
bool storeAllowed(const MatrixPlan &plan, uint32_t width);

/// Sets the side's strides and allocatedElems, with the padding that keeps requests free of bank
/// conflicts. Needs tile, alongTerms, chunk and type.
void layOutSide(const MatrixPlan &plan, MatrixSide &side);
/// Whether no fragment load and no staging store of a page has a bank conflict (bank_conflicts.h).
bool isConflictFree(const MatrixPlan &plan, const MatrixSide &side, const Target &target);

/// Bound of every table offset that the kernel computes, ragged tiles included; saturating.
uint64_t matrixReach(const MatrixPlan &plan);

/// Whether the operand's value changes with a digit of the list.
bool variesOver(const DigitForm &form, uint32_t operand, const std::vector<DigitId> &digits);

} // namespace mpf
