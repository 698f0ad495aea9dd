#include "codegen/kernel/plan/matrix_shape.h"

#include "codegen/kernel/plan/bank_conflicts.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>

namespace mpf {

namespace {

const std::vector<DigitId> &fetchDirection(const MatrixPlan &matrix, const MatrixSide &side) {
  return side.alongTerms ? matrix.terms : side.digits;
}

/// Whether the last digit of `digits` has stride 1 and consists of whole vectors, and every other
/// digit steps by whole vectors.
bool wholeVectors(const DigitForm &form, const std::vector<DigitId> &digits,
                  const DigitAccess &access, uint64_t width) {
  if (digits.empty() || access.stridesElems[digits.back().index()] != 1)
    return false;
  for (size_t d = 0; d < form.digits.size(); ++d)
    if (d != digits.back().index() && access.stridesElems[d] % width != 0)
      return false;
  return form.digits[digits.back().index()].extent % width == 0;
}
} // namespace

std::vector<FusedPart> fusedParts(const DigitForm &form, const std::vector<DigitId> &digits,
                                  const DigitAccess &access) {
  std::vector<FusedPart> parts; // least significant first
  uint64_t below = 1;
  for (size_t i = digits.size(); i-- > 0;) {
    const uint64_t extent = form.digits[digits[i].index()].extent;
    const uint64_t stride = access.stridesElems[digits[i].index()];
    const bool top = i == 0;
    if (extent > 1 && stride != 0) {
      FusedPart *const last = parts.empty() ? nullptr : &parts.back();
      const bool continues = last != nullptr && last->divisor * last->modulus == below &&
                             last->stride * last->modulus == stride;
      if (continues)
        last->modulus = top ? 0 : last->modulus * extent;
      else
        parts.push_back({below, top ? 0 : extent, stride});
    }
    below = saturatingMul(below, extent);
  }
  // Digits of extent 1 above the last part leave it a needless modulus.
  if (!parts.empty() && parts.back().modulus != 0 &&
      saturatingMul(parts.back().divisor, parts.back().modulus) == below)
    parts.back().modulus = 0;
  return parts;
}

uint64_t fusedOffset(const std::vector<FusedPart> &parts, uint64_t value) {
  uint64_t offset = 0;
  for (const FusedPart &part : parts) {
    const uint64_t index = value / part.divisor;
    offset += (part.modulus == 0 ? index : index % part.modulus) * part.stride;
  }
  return offset;
}

bool isLinear(const std::vector<FusedPart> &parts) {
  return parts.empty() ||
         (parts.size() == 1 && parts.front().divisor == 1 && parts.front().modulus == 0);
}

uint64_t fusedExtent(const DigitForm &form, const std::vector<DigitId> &digits) {
  uint64_t extent = 1;
  for (DigitId digit : digits)
    extent = saturatingMul(extent, form.digits[digit.index()].extent);
  return extent;
}

MatrixCounts matrixCounts(const MatrixPlan &plan) {
  MPF_CHECK(plan.rows.tile > 0 && plan.columns.tile > 0 && plan.chunk > 0,
            "tiles of {} x {}, pages of {} terms", plan.rows.tile, plan.columns.tile, plan.chunk);
  MatrixCounts counts;
  counts.batches = fusedExtent(plan.form, plan.batch);
  counts.rows = fusedExtent(plan.form, plan.rows.digits);
  counts.columns = fusedExtent(plan.form, plan.columns.digits);
  counts.terms = fusedExtent(plan.form, plan.terms);
  counts.rowTiles = ceilDivide(counts.rows, plan.rows.tile);
  counts.columnTiles = ceilDivide(counts.columns, plan.columns.tile);
  counts.pages = ceilDivide(counts.terms, plan.chunk);
  counts.tiles = saturatingMul(saturatingMul(counts.batches, counts.rowTiles), counts.columnTiles);
  counts.threads = 32 * plan.rows.warps * plan.columns.warps;
  counts.termsGuarded = counts.terms % plan.chunk != 0;
  return counts;
}

bool isRagged(const MatrixPlan &plan, const MatrixSide &side) {
  return fusedExtent(plan.form, side.digits) % side.tile != 0;
}

bool isFormed(const MatrixPlan &plan, const MatrixSide &side) {
  return side.operands.size() > 1 || plan.valueForm == ValueForm::Log;
}

const MatrixSide *stationarySide(const MatrixPlan &matrix) {
  return matrix.rows.stationary      ? &matrix.rows
         : matrix.columns.stationary ? &matrix.columns
                                     : nullptr;
}

namespace {
bool anyPages(const MatrixPlan &plan, bool formed) {
  return (!plan.rows.stationary && isFormed(plan, plan.rows) == formed) ||
         (!plan.columns.stationary && isFormed(plan, plan.columns) == formed);
}
} // namespace

bool formsPages(const MatrixPlan &plan) { return anyPages(plan, true); }
bool copiesPages(const MatrixPlan &plan) { return anyPages(plan, false); }

uint64_t segmentElems(const MatrixPlan &plan, const MatrixSide &side) {
  return saturatingMul(side.allocatedElems,
                       side.stationary ? matrixCounts(plan).pages : plan.stages);
}

uint64_t matrixSteps(const MatrixPlan &matrix) {
  const uint64_t terms = std::max<uint64_t>(8, matrix.instruction.terms);
  MPF_CHECK(matrix.chunk % terms == 0, "pages of {} terms in steps of {}", matrix.chunk, terms);
  return matrix.chunk / terms;
}

uint64_t warpTile(const MatrixSide &side) {
  MPF_CHECK(side.warps > 0 && side.tile % side.warps == 0, "{} warps share a tile of {}",
            side.warps, side.tile);
  return side.tile / side.warps;
}

bool isInterleaved(const MatrixSide &side) { return side.fragmentVector == 2; }

uint64_t unitPlace(const MatrixSide &side, uint64_t position, uint64_t half) {
  return isInterleaved(side) ? 2 * position + half : 8 * half + position;
}

uint64_t segmentOffset(const MatrixSide &side, uint64_t value, uint64_t term) {
  return value * side.sideStride + term % 4 * side.termStride + term / 4 * side.groupStride;
}

MatrixShare matrixShare(const MatrixPlan &matrix, const MatrixSide &side, uint32_t threads) {
  const uint64_t along = side.alongTerms ? matrix.chunk : side.tile;
  const uint64_t across = side.alongTerms ? side.tile : matrix.chunk;
  MPF_CHECK(side.fetchVector > 0 && along >= side.fetchVector,
            "fetches of {} entries along {} of a page", side.fetchVector, along);
  MatrixShare share;
  share.fast = along / side.fetchVector;
  share.step = std::min<uint64_t>(across, threads / share.fast);
  share.count = share.step == 0 ? 0 : across / share.step;
  share.busyThreads = share.fast * share.step;
  share.within = side.alongTerms ? 4 / side.fetchVector : share.fast;
  if (side.alongTerms)
    share.block = share.step % 4 == 0 ? 4 : share.step % 2 == 0 ? 2 : 1;
  return share;
}

MatrixPlace matrixPlace(const MatrixSide &side, const MatrixShare &share, uint64_t thread) {
  MPF_CHECK(share.within > 0 && share.block > 0 && share.fast >= share.within,
            "{} vectors along a page, {} one after another, in blocks of {}", share.fast,
            share.within, share.block);
  const uint64_t group = thread / (share.within * share.block) % (share.fast / share.within);
  return {(thread % share.within + group * share.within) * side.fetchVector,
          thread / share.within % share.block + thread / (share.fast * share.block) * share.block};
}

bool pairsAllowed(const MatrixPlan &plan, const MatrixSide &side) {
  const std::vector<DigitId> &digits = fetchDirection(plan, side);
  if (digits.empty() || plan.form.digits[digits.back().index()].extent % 2 != 0)
    return false;
  // A single operand is copied as it lies in memory.
  return side.operands.size() > 1 || pairContiguous(plan, side, side.operands.front());
}

bool pairContiguous(const MatrixPlan &plan, const MatrixSide &side, uint32_t operand) {
  return wholeVectors(plan.form, fetchDirection(plan, side), plan.form.operands[operand], 2);
}

namespace {
/// Returns the offset behind all pages of both segments; a multiple of 16 bytes; saturating.
uint64_t pagesEnd(const MatrixPlan &plan) {
  uint64_t end = 0;
  for (const MatrixSide *side : {&plan.rows, &plan.columns})
    end = std::max(end, saturatingAdd(side->offsetElems, segmentElems(plan, *side)));
  return saturatingAdd(end, 3) / 4 * 4;
}
} // namespace

MatrixStore matrixStore(const MatrixPlan &plan) {
  const MatrixSide &side = plan.columns;
  const uint64_t columns = warpTile(side), bytes = elementBytes(plan.type);
  MatrixStore store;
  // Lanes that write together write a piece of this many bytes of each row. A piece takes at most
  // half of the banks; an odd number of pieces from row to row spreads them over all banks.
  const uint64_t piece = (isInterleaved(side) ? 16 : 8) * bytes;
  const bool odd = columns * bytes / piece % 2 == 1;
  store.strideElems = columns + (odd ? 0 : piece / bytes);
  store.warpElems = 8 * store.strideElems;
  store.offsetElems = plan.persistent ? pagesEnd(plan) : 0;
  MPF_CHECK(plan.storeVector > 0 && columns % plan.storeVector == 0,
            "stores of {} entries of {} columns", plan.storeVector, columns);
  const uint64_t vectors = columns / plan.storeVector;
  store.lanes = std::min<uint64_t>(32, vectors & (~vectors + 1)); // divides them
  store.slots = vectors / store.lanes;
  store.conflictFree =
      (!isInterleaved(side) || plan.type == ElementType::F32) && columns * bytes >= 128;
  return store;
}

uint64_t matrixSharedBytes(const MatrixPlan &plan) {
  const MatrixStore store = matrixStore(plan);
  const uint64_t warps = uint64_t{plan.rows.warps} * plan.columns.warps;
  return saturatingMul(
      std::max(pagesEnd(plan), saturatingAdd(store.offsetElems, store.warpElems * warps)),
      elementBytes(plan.type));
}

bool storeAllowed(const MatrixPlan &plan, uint32_t width) {
  if (width == 4 && plan.type != ElementType::F32)
    return false;
  return width == 1 || ((width == 2 || width == 4) &&
                        wholeVectors(plan.form, plan.columns.digits, plan.form.result, width));
}

void layOutSide(const MatrixPlan &plan, MatrixSide &side) {
  const bool f32 =
      plan.type == ElementType::F32; // half as many banks to an entry: twice the padding
  if (side.alongTerms) { // four terms of a value, then the next value, then the next four terms
    side.termStride = 1;
    side.sideStride = 4;
    side.groupStride = 4 * side.tile + (f32 ? 16 : plan.chunk == 8 ? 8 : 4);
  } else { // all values of a term
    side.sideStride = 1;
    side.termStride = side.tile + (f32 ? 8 : 4);
    side.groupStride = 4 * side.termStride;
  }
  side.allocatedElems = segmentOffset(side, side.tile - 1, plan.chunk - 1) + 1;
  side.allocatedElems += side.allocatedElems % 2;
}

bool isConflictFree(const MatrixPlan &plan, const MatrixSide &side, const Target &target) {
  const uint32_t bytes = elementBytes(plan.type);
  std::vector<uint64_t> offsets;
  const auto free = [&](uint32_t width) {
    const RequestCost cost = requestCost(offsets, width, bytes, target);
    return cost.wavefronts == cost.phases;
  };
  // Fragments: all units, warps and groups shift all lanes alike.
  for (uint64_t lane = 0; lane < 32; ++lane)
    offsets.push_back(segmentOffset(side, unitPlace(side, lane / 4, 0), lane % 4));
  if (!free(side.fragmentVector))
    return false;
  const MatrixShare share = matrixShare(plan, side, plan.launch.blockThreads);
  for (uint64_t warp = 0; warp < share.busyThreads; warp += 32) {
    offsets.clear();
    for (uint64_t t = warp; t < std::min(warp + 32, share.busyThreads); ++t) {
      const MatrixPlace at = matrixPlace(side, share, t);
      offsets.push_back(side.alongTerms ? segmentOffset(side, at.across, at.along)
                                        : segmentOffset(side, at.along, at.across));
    }
    if (!free(side.fetchVector))
      return false;
  }
  return true;
}

uint64_t matrixReach(const MatrixPlan &plan) {
  const MatrixCounts counts = matrixCounts(plan);
  uint64_t largest = std::max({counts.batches, saturatingMul(counts.rowTiles, plan.rows.tile),
                               saturatingMul(counts.columnTiles, plan.columns.tile),
                               saturatingMul(counts.pages, plan.chunk)});
  // A value beyond the end continues along its most significant digit.
  const auto reach = [&](const std::vector<DigitId> &digits, uint64_t values, uint64_t overhang,
                         const DigitAccess &access) {
    uint64_t last = 0;
    for (const FusedPart &part : fusedParts(plan.form, digits, access)) {
      const uint64_t index = (values - 1 + overhang) / part.divisor;
      last = saturatingAdd(
          last, saturatingMul(part.modulus == 0 ? index : std::min(index, part.modulus - 1),
                              part.stride));
    }
    return last;
  };
  for (size_t t = 0; t <= plan.form.operands.size(); ++t) {
    const DigitAccess &access =
        t == plan.form.operands.size() ? plan.form.result : plan.form.operands[t];
    uint64_t last = reach(plan.batch, counts.batches, 0, access);
    last = saturatingAdd(last, reach(plan.rows.digits, counts.rows, plan.rows.tile, access));
    last =
        saturatingAdd(last, reach(plan.columns.digits, counts.columns, plan.columns.tile, access));
    last = saturatingAdd(last, reach(plan.terms, counts.terms, plan.chunk, access));
    largest = std::max(largest, last);
  }
  return largest;
}

bool variesOver(const DigitForm &form, uint32_t operand, const std::vector<DigitId> &digits) {
  return std::any_of(digits.begin(), digits.end(), [&](DigitId digit) {
    return form.operands[operand].stridesElems[digit.index()] != 0 &&
           form.digits[digit.index()].extent > 1;
  });
}

} // namespace mpf
