#include "codegen/kernel/cost/cost_matrix.h"

#include "codegen/kernel/cost/cost_model.h"
#include "codegen/kernel/cost/cost_traffic.h"
#include "codegen/kernel/cost/floor.h"
#include "codegen/kernel/cost/log_sum_cost.h"
#include "codegen/kernel/cost/occupancy.h"
#include "codegen/kernel/plan/kernel_shape.h"
#include "codegen/kernel/plan/matrix_shape.h"
#include "codegen/kernel/plan/warp_lanes.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {
constexpr double kMatrixEfficiency = 0.87;   ///< of the instructions' peak, as measured for cuBLAS
constexpr double kTf32Efficiency = 0.6;      ///< mma.sync where wgmma would reach the peak
constexpr double kMatrixPrologueSlots = 120; ///< decoding of blocks and threads, bases
constexpr double kMatrixPageSlots = 24;      ///< loop, wait, barrier, buffer numbers
constexpr double kCopySlots = 4;             ///< one asynchronous copy with its address and guard
constexpr double kDecodeSlots = 6;           ///< each part of an offset that takes a division
constexpr double kFormSlots = 5;             ///< one operand's load or product of a formed entry
constexpr double kOutputSlots = 11;          ///< rescaling, range, share of the store
constexpr double kMarkSlots = 3;             ///< a sum of logarithms below the guard or not, store
constexpr double kSplitSlots = 4;            ///< f32: a fragment's entry in two halves
// Constants fitted to 500 kernels of random and canonical buckets on one H200 (RESULTS.md). A
// warp's loads, instructions and addresses hide little of each other: shares of their times add up.
constexpr double kSharedPart = 0.52;
constexpr double kIssuePart = 0.73;
constexpr double kArithmeticPart = 0.64;
constexpr double kFormedShare = 0.86; ///< factor on the units' time if a side is formed
constexpr double kAheadShare = 0.8;   ///< factor for double-buffered fragments and long sums
constexpr uint64_t kLongSum = 8;      ///< pages of a long sum
constexpr double kWarpsWanted = 16;   ///< fewer warps of a multiprocessor leave gaps
constexpr double kWarpsPower = 0.08;  ///< power of the number of warps in the loss by gaps
constexpr double kExposed = 0.56;     ///< share of a block's waits that other blocks do not hide
constexpr double kMatrixAlone = 2;    ///< matrixOverlap with one resident block
constexpr double kMatrixShared = 1.4; ///< addition to kMatrixAlone with five resident blocks
constexpr double kLineShare = 0.03;   ///< more device memory if rows do not begin with a line
constexpr double kScattered = 3;      ///< more if results are stored one by one: sectors are read
constexpr double kFetchLatencyUs = 0.9;
constexpr double kBlockStartUs = 0.6;
constexpr double kMatrixStartUs = 0.2; ///< first page and last stores of a launch
constexpr double kLineRate = 1.05; ///< factor on L2's rate: asynchronous copies move whole sectors

/// The factor for persistent blocks. They were up to 1.1 times as fast as others on canonical
/// buckets, and up to 1.5 times as slow on random ones. No term predicts this, so they are left to
/// measuring (--autotune).
constexpr double kPersistentDoubt = 1.25;
/// The factor for plans with a stationary side, whose times the terms predict better.
constexpr double kStationaryDoubt = 1.18;
/// The factors for logarithms, whose work waits for conversions. The second is for plans with a
/// stationary side, where tiles follow one another.
constexpr double kLogDoubt = 1.2;
constexpr double kLogStationaryDoubt = 1.65;
/// The factor for sums of at most kFewTerms terms, where arithmetic does not matter. The terms do
/// not predict the fastest of many kernels there. Other families write at the card's full rate, and
/// this one rarely does.
constexpr double kFewTermsDoubt = 1.08;
constexpr uint64_t kFewTerms = 8;

/// The cost to a block of one page of an operand.
struct Fetch {
  double requests = 0;   ///< of warps
  double wavefronts = 0; ///< lines touched, or 128 bytes each
  double l2Bytes = 0;
};

/// Offsets of the first warp's lanes of a page: one fetch vector each.
Fetch fetchOf(const MatrixPlan &plan, const MatrixSide &side, uint32_t operand) {
  const DigitAccess &access = plan.form.operands[operand];
  const auto sideParts = fusedParts(plan.form, side.digits, access);
  const auto termParts = fusedParts(plan.form, plan.terms, access);
  const MatrixShare share = matrixShare(plan, side, plan.launch.blockThreads);
  const uint64_t values = fusedExtent(plan.form, side.digits);
  const uint64_t terms = fusedExtent(plan.form, plan.terms);
  const bool pair = side.fetchVector == 2 && pairContiguous(plan, side, operand);
  std::vector<uint64_t> lanes;
  for (uint64_t t = 0; t < std::min<uint64_t>(32, share.busyThreads); ++t) {
    const MatrixPlace at = matrixPlace(side, share, t);
    const uint64_t value = side.alongTerms ? at.across : at.along;
    const uint64_t term = side.alongTerms ? at.along : at.across;
    if (value >= values || term >= terms)
      continue;
    const uint64_t offset = fusedOffset(sideParts, value) + fusedOffset(termParts, term);
    for (uint64_t lane = 0; lane < (pair ? 2 : 1); ++lane)
      lanes.push_back(offset + lane);
  }
  const uint32_t bytes = elementBytes(plan.type);
  Fetch fetch;
  const double loads = side.fetchVector == 2 && !pair ? 2 : 1; // of one vector
  fetch.requests = std::ceil(double(share.busyThreads) / 32) * double(share.count) * loads;
  fetch.wavefronts = fetch.requests * std::max(1.0, double(distinctUnits(lanes, bytes, 128)));
  fetch.l2Bytes = fetch.requests * double(distinctUnits(lanes, bytes, 32)) * 32;
  // Scalar halves of a vector hit the same lines.
  fetch.l2Bytes /= loads;
  return fetch;
}

/// Returns how often a block fetches an operand of a formed side: once if it is equal in all pages.
double pagesOf(const MatrixPlan &plan, const MatrixCounts &counts, uint32_t operand) {
  const bool hoisted = !variesOver(plan.form, operand, plan.terms);
  return hoisted ? 1.0 : static_cast<double>(counts.pages);
}

/// Returns the share of a side's fetches that blocks do. A stationary side is fetched once by each
/// block, and again at the end of each strip.
double fetchedShare(const MatrixPlan &plan, const MatrixCounts &counts, const MatrixSide &side) {
  if (!side.stationary)
    return 1;
  MPF_CHECK(counts.tiles > 0, "{} x {} tiles in {} batches", counts.rowTiles, counts.columnTiles,
            counts.batches);
  const uint64_t strips =
      counts.batches * (&side == &plan.rows ? counts.rowTiles : counts.columnTiles);
  return std::min(1.0, double(plan.launch.gridBlocks + strips) / double(counts.tiles));
}

/// Returns the bytes of an operand from device memory: the table, and the entries that concurrent
/// blocks read again because L2 does not hold them from wave to wave.
double dramBytes(const MatrixPlan &plan, const MatrixCounts &counts, const MatrixSide &side,
                 uint32_t operand, double l2Bytes, const Target &target) {
  const double bytes = elementBytes(plan.type);
  const double table = double(plan.form.operands[operand].sizeElems) * bytes;
  if (table <= kResidentShare * double(target.l2Bytes))
    return table;
  const double together =
      std::min(double(counts.tiles), double(target.smCount) * plan.launch.minBlocksPerSm);
  MPF_CHECK(together > 0, "{} tiles, {} blocks resident on {} multiprocessors", counts.tiles,
            plan.launch.minBlocksPerSm, target.smCount);
  const double waves = double(counts.tiles) / together;
  const double raster = double(plan.raster);
  const double distinct =
      &side == &plan.columns ? std::min(raster, together) : std::max(1.0, together / raster);
  const double perBlock = double(side.tile) * double(counts.terms) * bytes;
  return std::max(table, std::min(l2Bytes, waves * distinct * perBlock));
}

bool resultIsContiguous(const MatrixPlan &plan) {
  return !plan.columns.digits.empty() &&
         plan.form.result.stridesElems[plan.columns.digits.back().index()] == 1;
}
/// Whether every row that a warp stores begins at a multiple of `unitBytes` bytes. Then it stores
/// whole units.
bool rowsBeginUnits(const MatrixPlan &plan, uint64_t unitBytes) {
  const auto &strides = plan.form.result.stridesElems;
  return std::all_of(strides.begin(), strides.end(), [&](uint64_t stride) {
    return stride <= 1 || stride * elementBytes(plan.type) % unitBytes == 0;
  });
}
/// Returns the bytes of device memory for the result. Sectors that two runs share are written
/// twice.
double resultDramBytes(const MatrixPlan &plan) {
  const double bytes = double(plan.form.result.sizeElems) * elementBytes(plan.type);
  if (!resultIsContiguous(plan))
    return bytes * (1 + kScattered);
  // Columns that are neighbours in the result, of those that a warp stores as one row.
  const auto parts = fusedParts(plan.form, plan.columns.digits, plan.form.result);
  MPF_CHECK(!parts.empty(), "{} column digits without an offset in the result",
            plan.columns.digits.size());
  const uint64_t modulus = parts.front().modulus;
  const uint64_t columns = warpTile(plan.columns);
  const uint64_t run = modulus == 0 ? columns : std::min(columns, modulus);
  const double rows = double(plan.form.result.sizeElems) / double(run);
  return bytes * (rowsBeginUnits(plan, 128) ? 1 : 1 + kLineShare) +
         (rowsBeginUnits(plan, static_cast<uint64_t>(kSectorBytes)) ? 0 : 2 * rows * kPartialBytes);
}
/// Returns the exponent of the power sum. A block loads, multiplies and stores in turn; only other
/// blocks and warps fill the gaps.
double matrixOverlap(const MatrixPlan &plan) {
  return kMatrixAlone + kMatrixShared * std::min(1.0, (plan.launch.minBlocksPerSm - 1.0) / 4);
}

/// Returns a factor above 1 for plans whose gain the terms cannot predict.
double matrixDoubt(const MatrixPlan &plan) {
  const bool stationary = stationarySide(plan) != nullptr;
  const double linear = stationary ? kStationaryDoubt : plan.persistent ? kPersistentDoubt : 1;
  const double logs = stationary ? kLogStationaryDoubt : kLogDoubt;
  return (plan.valueForm == ValueForm::Log ? logs : linear) *
         (plan.form.reducedAddresses() <= kFewTerms ? kFewTermsDoubt : 1);
}

/// The work of a block for one tile of the result, and the bytes that all blocks together move.
struct TileWork {
  double slots = 0, wavefronts = 0;
  double doubles = 0;      ///< operations of the f64 units beside the matrix instructions
  double l2 = 0, dram = 0; ///< bytes of the whole launch
};

double tileEntries(const MatrixPlan &plan) {
  return double(plan.rows.tile) * double(plan.columns.tile);
}

double warpsOf(const MatrixCounts &counts) { return counts.threads / 32.0; }

/// Whether products are formed from TF32 halves of the entries (f32).
bool takesHalves(const MatrixPlan &plan) { return plan.type == ElementType::F32; }

/// Adds the matrix instructions and the loads of their fragments.
void addProducts(const MatrixPlan &plan, const MatrixCounts &counts, TileWork &work) {
  const double pages = double(counts.pages), warps = warpsOf(counts);
  const double groups = double(plan.chunk) / 8;
  MPF_CHECK(plan.instruction.rows > 0 && plan.instruction.terms > 0,
            "an instruction of {} rows and {} terms", plan.instruction.rows,
            plan.instruction.terms);
  const double warpSides = double(warpTile(plan.rows) + warpTile(plan.columns));
  const bool halves = takesHalves(plan);
  work.slots += kMatrixPrologueSlots * warps + pages * kMatrixPageSlots * warps;
  // Units of 16 x 16 x 8: instructions, and one 16-byte load per lane for 16 values and 4 terms.
  const double instructions =
      2048.0 / (plan.instruction.rows * 8.0 * plan.instruction.terms) * (halves ? 3 : 1);
  const double rowLoads = double(warpTile(plan.rows)) / 16 * 4 / plan.rows.fragmentVector;
  const double columnLoads = double(warpTile(plan.columns)) / 16 * 4 / plan.columns.fragmentVector;
  work.slots +=
      pages * groups * (tileEntries(plan) / 256 * instructions + warps * (rowLoads + columnLoads));
  work.slots += halves ? pages * groups * warps * warpSides / 4 * kSplitSlots : 0;
  work.wavefronts += pages * groups * warps * warpSides / 16 * elementBytes(plan.type);
}

/// Adds the work that fetches the pages of one side into shared memory.
void addFetches(const MatrixPlan &plan, const MatrixCounts &counts, const MatrixSide &side,
                const Target &target, TileWork &work) {
  const double pages = double(counts.pages);
  const double share = fetchedShare(plan, counts, side);
  const double stored =
      share * double(side.tile) * double(plan.chunk) * elementBytes(plan.type) / 128;
  work.wavefronts += pages * stored;
  const bool formed = isFormed(plan, side);
  const Conversion power = powerConversion(plan.type);
  for (uint32_t operand : side.operands) {
    const Fetch fetch = fetchOf(plan, side, operand);
    const double times = share * (formed ? pagesOf(plan, counts, operand) : pages);
    const DigitAccess &access = plan.form.operands[operand];
    const double parts = double(fusedParts(plan.form, side.digits, access).size() +
                                fusedParts(plan.form, plan.terms, access).size());
    if (plan.valueForm == ValueForm::Log) {
      const double entries = times * double(side.tile) * double(plan.chunk);
      work.slots += entries / 32 * power.slots;
      work.doubles += entries * power.arithmetic;
    }
    work.slots += fetch.requests * times *
                  ((formed ? kFormSlots : kCopySlots) + std::max(0.0, parts - 2) * kDecodeSlots);
    work.slots += formed ? pages * stored : 0;
    work.wavefronts += times * fetch.wavefronts;
    const double moved = double(counts.tiles) * times * fetch.l2Bytes;
    work.l2 += moved;
    work.dram += dramBytes(plan, counts, side, operand, moved, target);
  }
}

void addStores(const MatrixPlan &plan, TileWork &work) {
  const double bytes = elementBytes(plan.type), tile = tileEntries(plan);
  const bool logs = plan.valueForm == ValueForm::Log;
  const Conversion logarithm = logarithmConversion(plan.type);
  const double result = double(plan.form.result.sizeElems) * bytes;
  // Scattered results are written one by one, each to a separate sector.
  const double storeSectors = resultIsContiguous(plan) ? 1 : kSectorBytes / bytes;
  work.l2 += result * storeSectors;
  work.dram += resultDramBytes(plan);
  work.slots += tile / 32 * (logs ? logarithm.slots + kMarkSlots : kOutputSlots);
  work.doubles += logs ? tile * logarithm.arithmetic : 0;
  work.wavefronts += tile * bytes / 128 * (storeSectors + 2); // to shared memory and back
}

TileWork tileWork(const MatrixPlan &plan, const MatrixCounts &counts, const Target &target) {
  TileWork work;
  addProducts(plan, counts, work);
  for (const MatrixSide *side : {&plan.rows, &plan.columns})
    addFetches(plan, counts, *side, target, work);
  addStores(plan, work);
  return work;
}

/// Returns the clocks of a multiprocessor's arithmetic units for one tile.
double tileClocks(const MatrixPlan &plan, const MatrixCounts &counts, const TileWork &work,
                  const Target &target) {
  const bool halves = takesHalves(plan);
  const double clocksPerUs = target.clockGhz * 1e3;
  const double rate = (halves ? target.tf32MatrixFlopsPerUs / 3
                              : std::max(target.f64MatrixFlopsPerUs, target.f64FlopsPerUs)) *
                      (halves ? kTf32Efficiency : kMatrixEfficiency) /
                      (2 * clocksPerUs * target.smCount);
  const double doublesRate = target.f64FlopsPerUs / (2 * clocksPerUs * target.smCount);
  return double(counts.pages) * double(plan.chunk) * tileEntries(plan) / rate +
         work.doubles / doublesRate;
}

/// Returns the time of the units, whose separate times add up to `sumUs`, when they overlap as far
/// as they can.
double unitsUs(const MatrixPlan &plan, const MatrixCounts &counts, double sumUs) {
  const bool formed = isFormed(plan, plan.rows) || isFormed(plan, plan.columns);
  const double warpsThere = warpsOf(counts) * plan.launch.minBlocksPerSm;
  // Long sums of doubles hide a step's loads behind the instructions of the one before.
  const bool ahead = plan.doubleBufferedFragments && !takesHalves(plan) && counts.pages >= kLongSum;
  return sumUs * (formed ? kFormedShare : 1) * (ahead ? kAheadShare : 1) *
         std::pow(std::max(1.0, kWarpsWanted / warpsThere), kWarpsPower);
}

/// Returns the time of single blocks, for all rounds: their pages one after another, and the first
/// fetch and the stores, which nothing hides.
double serialUs(const MatrixPlan &plan, const MatrixCounts &counts, const TileWork &work,
                double clocks, const Target &target) {
  const double blocks = double(counts.tiles), pages = double(counts.pages);
  MPF_CHECK(counts.pages > 0 && plan.launch.minBlocksPerSm > 0, "{} pages, {} blocks resident",
            counts.pages, plan.launch.minBlocksPerSm);
  const bool formsAhead = formsPages(plan);
  // Each scheduler has its share of the units.
  const double fewWarps = std::max(1.0, 4 / warpsOf(counts));
  const double page =
      std::max({clocks * fewWarps, work.wavefronts, work.slots / 4 * fewWarps}) / pages;
  const double inFlight = formsAhead ? 1 : std::max(1.0, plan.stages - 1.0);
  const double pageUs =
      std::max(page / (target.clockGhz * 1e3), counts.pages > 1 ? kFetchLatencyUs / inFlight : 0);
  const double storeUs =
      tileEntries(plan) * elementBytes(plan.type) * target.smCount / target.copyBytesPerUs;
  const double rounds = std::ceil(blocks / (double(target.smCount) * plan.launch.minBlocksPerSm));
  // Persistent blocks fetch the next tile's first page early, unless they form it.
  const double startUs = kBlockStartUs + kFetchLatencyUs;
  const double tileUs =
      pages * pageUs + storeUs + (plan.persistent && formsAhead ? kFetchLatencyUs : 0);
  return plan.persistent ? startUs + rounds * tileUs : rounds * (startUs + tileUs);
}

/// Returns the time of the multiprocessor with most tiles, relative to the mean.
double busiestFactor(const MatrixPlan &plan, const MatrixCounts &counts, const Target &target) {
  if (!plan.persistent)
    return waveFactor(plan.launch, target);
  const double blocks = double(counts.tiles);
  const double rounds = std::ceil(blocks / (double(target.smCount) * plan.launch.minBlocksPerSm));
  return rounds * double(plan.launch.gridBlocks) / blocks;
}

std::vector<CostTerm> matrixCostTerms(const MatrixPlan &plan, const Target &target) {
  const MatrixCounts counts = matrixCounts(plan);
  const TileWork work = tileWork(plan, counts, target);
  const double clocks = tileClocks(plan, counts, work, target);
  const double blocks = double(counts.tiles);
  const double sms = target.clockGhz * 1e3 * target.smCount;
  const double shared = blocks * work.wavefronts / sms;
  const double issue = blocks * work.slots / (4 * sms);
  const double arithmetic = blocks * clocks / sms;
  const double units = unitsUs(
      plan, counts, kSharedPart * shared + kIssuePart * issue + kArithmeticPart * arithmetic);
  return {
      {"dram", work.dram / target.copyBytesPerUs},
      {"l2", work.l2 / (kLineRate * target.l2BytesPerUs)},
      {"shared", shared},
      {"issue", issue},
      {"arithmetic", arithmetic},
      {"exp2", 0},
      {"waves", units * busiestFactor(plan, counts, target)},
      {"latency", kExposed * serialUs(plan, counts, work, clocks, target)},
  };
}
} // namespace

void modelCost(MatrixPlan &plan, const Target &target) {
  addUpTerms(
      plan, matrixCostTerms(plan, target),
      {.overlap = matrixOverlap(plan), .doubt = matrixDoubt(plan), .startUs = kMatrixStartUs},
      target);
  plan.floorUs = floorTerms(plan.form, plan.type, plan.valueForm, target).longerUs();
}

} // namespace mpf
