// MATRIX PLAN: one operation as a product of matrices by matrix instructions: family `mma`.
//
// The operands of a sum-product bucket (or of a sum of f64 logarithms, which are mantissas once
// they are in shared memory) fall into two groups. A kept digit that only operands of the
// first group have is a *row* digit, one that only the second group has a *column* digit, all
// others are *batch* digits; then for each batch address
//     result(row, column) = sum over terms of rows(row, term) * columns(term, column)
// where rows and columns are products of the groups' operands, formed in shared memory. The digits
// of a role are *fused*: read as one mixed-radix number, most significant first, so that odd
// extents cost one ragged tile at the end and not one for every digit.
//
// The kernel that a plan stands for:
//   batch, tile of rows, tile of columns <- blockIdx.x (tiles in swaths of `raster` columns)
//   acc = 0
//   for pages of `chunk` terms, fetched `stages - 1` pages ahead:
//     both segments: tile x chunk entries; entries outside the bucket are 0
//     acc += rows * columns, by mma instructions; warps share out the tile
//   store acc
// Where the plan `walks`, the grid is what fits the device and every block goes from tile to tile;
// the first pages of the next one are asked for before the results of this one leave. With a side
// that stays (`stationary`) they are neighbours along the other side, and only the other side's
// pages are fetched for each tile.
//
// Lanes and fragments: a warp's tile consists of units of 16 rows x 16 columns x 8 terms. With
// lane = 4 * octet + quad and half, pick in {0, 1}
//   rows fragment      row = place(octet, half),     term = 4 * pick + quad
//   columns fragment   column = place(octet, half),  term = 4 * pick + quad
//   accumulators       row = place(octet, half),     column = place(2 * quad + pick, half)
//   place(n, half) = 8 * half + n, or 2 * n + half
// An instruction takes them in the order of the PTX ISA (section "Matrix fragments for mma", .f64):
// which row of the bucket a position stands for is free. By the first form of place a quad of lanes
// stores neighbours; by the second both halves of a rows fragment, which the instruction wants in
// registers that follow each other, are one load of 16 bytes where rows are neighbours in the
// segment. A load of two terms would have to be taken apart by moves.
#pragma once

#include "codegen/kernel/form/digit_form.h"
#include "codegen/kernel/plan/kernel_header.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace mpf {

/// mma.sync of double precision: m8n8k4 from sm_80 on; m16n8k4, m16n8k8, m16n8k16 from sm_90 on.
/// f32: m16n8k8 of TF32, thrice: the greater halves of both entries, and each with the other's
/// lesser half (split products as Ootomo and Yokota, IJHPCA 2022). Fragments are the same.
struct MatrixInstruction {
  uint32_t rows = 8, columns = 8, terms = 4;
};

/// One factor of the matrix product and its cache segment.
struct MatrixSide {
  std::vector<uint32_t> operands; ///< ascending; isFormed (matrix_shape.h): copied or formed
  std::vector<DigitId> digits;    ///< fused, most significant first; none: extent 1
  uint64_t tile = 16;             ///< values of the fused digit in a page, a multiple of 16
  uint32_t warps = 1;             ///< warps along it; each has a multiple of 16 values
  bool alongTerms =
      false; ///< neighbouring threads fetch neighbouring terms, else values of `digits`
  uint32_t fragmentVector = 1; ///< entries per fragment load; 2: both halves, not alongTerms
  uint32_t fetchVector = 1;    ///< entries per store into the segment: 1 or 2
  uint64_t sideStride = 0;     ///< elements from one value to the next; 1 unless alongTerms
  uint64_t termStride = 0;     ///< from one term to the next among four; 1 if alongTerms
  uint64_t groupStride = 0;    ///< from four terms to the next four
  uint64_t allocatedElems = 0; ///< of one stage, with padding
  uint64_t offsetElems = 0;    ///< of the first stage in shared memory
  bool conflictFree = false;   ///< promise: every request takes one wavefront per phase
  /// All pages stay in shared memory while the block goes along the other side: of one side at most
  /// of plans that walk. Sums are short then, and tables as large as the result would else be
  /// fetched over and over.
  bool stationary = false;
};

struct MatrixPlan : KernelHeader {
  static constexpr std::string_view family = "mma";

  DigitForm form;
  MatrixInstruction instruction;
  std::vector<DigitId> batch; ///< most significant first
  std::vector<DigitId> terms; ///< all reduced digits, fused
  uint64_t chunk = 8;         ///< terms of a page, a multiple of 8 and of the instruction's
  uint32_t stages = 2;        ///< buffers of each segment that does not stay
  uint64_t raster = 1;        ///< column tiles of a swath: blocks that follow one another share L2
  bool persistent = false;    ///< blocks take tile after tile; the grid is what fits the device
  bool doubleBufferedFragments =
      false; ///< the next step's fragments are loaded while one is multiplied, over
             ///< the ends of pages too; steps of a page come in pairs
  MatrixSide rows, columns;
};

inline PlanKind kindOf(const MatrixPlan &plan) {
  return {plan.launch.blockThreads, plan.persistent, plan.doubleBufferedFragments,
          plan.rows.stationary, plan.columns.stationary};
}

} // namespace mpf
