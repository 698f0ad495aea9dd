// MATRIX PLAN (family `mma`): one operation as a matrix product, computed by matrix instructions.
//
// The operands of a sum-product fall into two groups (operand_grouping.h). *Row* digits are the
// kept digits that only operands of the first group have. *Column* digits are the kept digits that
// only operands of the second group have. *Batch* digits are the other kept digits. The reduced
// digits are the *terms*. Then for each batch address
//     result(row, column) = sum over terms of rows(row, term) * columns(term, column)
// where `rows` is the product of the first group's operands and `columns` of the second group's,
// both formed in shared memory. Sums of f64 logarithms work in the same way: each logarithm becomes
// a mantissa (dsl/support/scaled_mantissa.h) on its way into shared memory.
//
// The digits of a role are *fused*: read as one mixed-radix number, most significant digit first.
// So extents that are no multiple of a tile cost one ragged tile at the end of the fused digit, and
// not one for every digit.
//
// The kernel that a plan describes:
//   batch, tile of rows, tile of columns <- blockIdx.x (tiles in swaths of `raster` columns)
//   acc = 0
//   for pages of `chunk` terms, fetched `stages - 1` pages ahead:
//     both segments: tile x chunk entries; entries outside the operation's extents are 0
//     acc += rows * columns, by mma instructions; warps share out the tile
//   store acc
//
// The grid of a `persistent` plan has as many blocks as the device can hold at once, and every
// block computes tile after tile. It starts to fetch the first pages of its next tile before it
// stores the results of the current one. When one side is `stationary`, consecutive tiles of a
// block are neighbours along the other side, and only the other side's pages are fetched for each
// tile.
//
// Lanes and fragments: a warp's tile consists of units of 16 rows x 16 columns x 8 terms. With
// lane = 4 * octet + quad and half, pick in {0, 1}, a lane holds these entries of a unit:
//   rows fragment      row = place(octet, half),     term = 4 * pick + quad
//   columns fragment   column = place(octet, half),  term = 4 * pick + quad
//   accumulators       row = place(octet, half),     column = place(2 * quad + pick, half)
//   place(n, half) = 8 * half + n, or 2 * n + half
// An instruction takes fragments in the order of the PTX ISA (section "Matrix fragments for mma",
// .f64), but a plan may choose which row or column of the tile a position stands for: `place`. With
// the first form of `place`, the four lanes of an octet store neighbouring columns. With the second
// form, both halves of a rows fragment come from one 16-byte load where rows are neighbours in the
// segment: the instruction wants the halves in consecutive registers. (It does not want two terms
// there, so a 16-byte load of two terms would need extra moves.)
#pragma once

#include "codegen/kernel/form/digit_form.h"
#include "codegen/kernel/plan/kernel_header.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace mpf {

/// The shape of the mma.sync instruction. f64: m8n8k4 from sm_80 on; m16n8k4, m16n8k8 and m16n8k16
/// from sm_90 on. f32: m16n8k8 of TF32, three times for each product. Every entry is split into a
/// high and a low part; the three are high * high, high * low and low * high (Ootomo and Yokota,
/// IJHPCA 2022). Fragments are as for f64.
struct MatrixInstruction {
  uint32_t rows = 8, columns = 8, terms = 4;
};

/// One factor of the matrix product (`rows` or `columns`) and its cache segment.
struct MatrixSide {
  std::vector<uint32_t> operands; ///< the group's indices into form.operands, ascending
  std::vector<DigitId> digits;    ///< fused, most significant first; empty: extent 1
  uint64_t tile = 16;             ///< values of the fused digit in a page, a multiple of 16
  uint32_t warps = 1;             ///< warps along the tile; each has a multiple of 16 values
  bool alongTerms =
      false; ///< neighbouring threads fetch neighbouring terms, else neighbours along `digits`
  uint32_t fragmentVector = 1; ///< entries per fragment load; 2: both halves, never if alongTerms
  uint32_t fetchVector = 1;    ///< entries per store into the segment: 1 or 2
  // Strides of the segment in shared memory (segmentOffset in matrix_shape.h), in elements.
  uint64_t sideStride = 0;  ///< from one value of `digits` to the next; 1 unless alongTerms
  uint64_t termStride = 0;  ///< from one term to the next inside a group of four; 1 if alongTerms
  uint64_t groupStride = 0; ///< from a group of four terms to the next group
  uint64_t allocatedElems = 0; ///< size of one stage, with padding
  uint64_t offsetElems = 0;    ///< start of the first stage in shared memory
  bool conflictFree = false;   ///< promise: every request takes one wavefront per phase
  /// All pages of this side stay in shared memory while the block moves along the other side. At
  /// most one side, of persistent plans only. Worthwhile for short sums, where the tables of this
  /// side would otherwise be fetched again for every tile.
  bool stationary = false;
};

struct MatrixPlan : KernelHeader {
  static constexpr std::string_view family = "mma";

  DigitForm form;
  MatrixInstruction instruction;
  std::vector<DigitId> batch; ///< fused, most significant first
  std::vector<DigitId> terms; ///< all reduced digits, fused
  uint64_t chunk = 8;         ///< terms per page, a multiple of 8 and of instruction.terms
  uint32_t stages = 2;        ///< buffers of each segment that is not stationary
  uint64_t raster = 1;        ///< column tiles per swath: consecutive blocks share operands in L2
  bool persistent = false;    ///< blocks compute tile after tile; the grid is what fits the device
  bool doubleBufferedFragments =
      false; ///< the fragments of the next step are loaded while one is multiplied, also
             ///< across the end of a page; the number of steps of a page is even
  MatrixSide rows, columns;
};

inline PlanKind kindOf(const MatrixPlan &plan) {
  return {plan.launch.blockThreads, plan.persistent, plan.doubleBufferedFragments,
          plan.rows.stationary, plan.columns.stationary};
}

} // namespace mpf
