#include "codegen/kernel/build/build_matrix.h"

#include "codegen/kernel/build/name_kernel.h"
#include "codegen/kernel/cost/cost_instructions.h"
#include "codegen/kernel/cost/cost_matrix.h"
#include "codegen/kernel/cost/occupancy.h"
#include "codegen/kernel/form/operand_grouping.h"
#include "codegen/kernel/plan/kernel_shape.h"
#include "codegen/kernel/plan/log_form.h"
#include "codegen/kernel/plan/matrix_shape.h"
#include "codegen/kernel/text/print_matrix.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {
constexpr size_t kGroupings = 3;
constexpr uint64_t kLeastSide = 8; ///< least values of a side, unless options name the family
constexpr uint64_t kMatrixChunks[] = {16, 8, 32};
constexpr uint32_t kStages[] = {3, 2, 4};
/// Registers for indices, bases and counters, beyond the slack that activeBlocks leaves the
/// assembler.
constexpr uint32_t kMatrixBaseRegisters = 16;
constexpr uint32_t kTightRegisters = 8; ///< long pages and scattered copies: addresses, fragments
constexpr uint32_t kSlack =
    16; ///< as activeBlocks leaves it: the estimate may be this much too low
constexpr uint32_t kDoubleBufferedSlack =
    8; ///< the assembler makes do with what such fragments leave

constexpr uint64_t kLeastPersistentTiles = 2; ///< tiles of a block
constexpr uint32_t kPersistentRegisters = 8;
constexpr uint32_t kMatrixLogRegisters = 24; ///< conversions in both directions

/// The rows and columns of a warp's tile, and the warps along both.
struct WarpTile {
  uint32_t rows, columns, rowWarps, columnWarps;
};
constexpr WarpTile kWarpTiles[] = {
    {64, 32, 2, 4}, {64, 32, 2, 2}, {32, 64, 2, 2}, {32, 64, 4, 2}, {64, 32, 1, 4}, {64, 32, 4, 1},
    {32, 32, 4, 4}, {32, 32, 4, 2}, {32, 32, 2, 4}, {32, 32, 2, 2}, {32, 32, 4, 1}, {32, 32, 1, 4},
    {32, 32, 8, 1}, {32, 32, 1, 2}, {32, 32, 2, 1}, {32, 16, 4, 1}, {16, 32, 1, 4}, {64, 16, 4, 1},
    {16, 64, 1, 4}, {32, 16, 2, 2}, {16, 16, 2, 2}, {16, 16, 4, 1}, {16, 16, 1, 4}, {16, 16, 1, 1},
};

const DigitAccess &largestOf(const DigitForm &form, const std::vector<uint32_t> &operands) {
  MPF_CHECK(!operands.empty(), "a side of a product of {} operands has none", form.operands.size());
  const uint32_t largest =
      *std::max_element(operands.begin(), operands.end(), [&](uint32_t a, uint32_t b) {
        return form.operands[a].sizeElems < form.operands[b].sizeElems;
      });
  return form.operands[largest];
}

/// Sorts digits by stride, the greatest first, so that the last digit is that of neighbours. Digits
/// that the table lacks come first.
std::vector<DigitId> byStride(std::vector<DigitId> digits, const DigitAccess &access) {
  std::stable_sort(digits.begin(), digits.end(), [&](DigitId a, DigitId b) {
    return access.stridesElems[a.index()] - 1 > access.stridesElems[b.index()] - 1; // 0 wraps
  });
  return digits;
}

bool contains(const std::vector<DigitId> &digits, const DigitAccess &access, uint64_t stride) {
  return std::any_of(digits.begin(), digits.end(),
                     [&](DigitId d) { return access.stridesElems[d.index()] == stride; });
}

MatrixSide sideOf(const DigitForm &form, const std::vector<uint32_t> &operands,
                  std::vector<DigitId> digits, const std::vector<DigitId> &terms) {
  MatrixSide side;
  side.operands = operands;
  side.digits = std::move(digits);
  const DigitAccess &largest = largestOf(form, operands);
  side.alongTerms = contains(terms, largest, 1) || (side.digits.empty() && !terms.empty());
  return side;
}

/// Returns the values that a thread holds from a page's loads until it has formed their products.
uint64_t heldElems(const MatrixPlan &plan, const MatrixSide &side) {
  if (!isFormed(plan, side))
    return 0;
  const MatrixShare share = matrixShare(plan, side, plan.launch.blockThreads);
  const auto &fast = side.alongTerms ? plan.terms : side.digits;
  const auto &slow = side.alongTerms ? side.digits : plan.terms;
  uint64_t held = 0;
  for (uint32_t operand : side.operands)
    held += (variesOver(plan.form, operand, fast) ? side.fetchVector : 1) *
            (variesOver(plan.form, operand, slow) ? share.count : 1);
  return held;
}

/// Whether fragments are double-buffered and pages are copied, so that no other data needs
/// registers.
bool onlyDoubleBuffers(const MatrixPlan &plan) {
  return plan.doubleBufferedFragments && !isFormed(plan, plan.rows) &&
         !isFormed(plan, plan.columns);
}

uint32_t registersOf(const MatrixPlan &plan) {
  const uint64_t rows = warpTile(plan.rows), columns = warpTile(plan.columns);
  const uint64_t groups = std::max<uint64_t>(1, plan.instruction.terms / 8);
  const uint64_t words = elementBytes(plan.type) / 4;
  const uint64_t parts = plan.type == ElementType::F32 ? 2 : 1; // fragments have two halves
  uint64_t elems = rows * columns / 32 +
                   (rows + columns) / 4 * groups * parts * (plan.doubleBufferedFragments ? 2 : 1);
  const bool tight = plan.chunk > 16 || (plan.rows.alongTerms && plan.columns.alongTerms);
  uint64_t registers = kMatrixBaseRegisters + (tight ? kTightRegisters : 0) +
                       (plan.persistent ? kPersistentRegisters : 0);
  for (const MatrixSide *side : {&plan.rows, &plan.columns}) {
    const MatrixShare share = matrixShare(plan, *side, plan.launch.blockThreads);
    elems += heldElems(plan, *side);
    for (uint32_t operand : side->operands) {
      registers += isFormed(plan, *side) ? 8 : 4; // products keep an address for each
      if (side->alongTerms &&
          !isLinear(fusedParts(plan.form, side->digits, plan.form.operands[operand])))
        registers += share.count;
    }
  }
  if (onlyDoubleBuffers(plan))
    registers = kMatrixBaseRegisters;
  if (plan.valueForm == ValueForm::Log)
    registers += kMatrixLogRegisters;
  return static_cast<uint32_t>((words * elems + registers + 7) / 8 * 8);
}

void setLaunch(MatrixPlan &plan, const Target &target) {
  const MatrixCounts counts = matrixCounts(plan);
  MPF_CHECK(counts.tiles > 0, "a product of {} x {} tiles in {} batches", counts.rowTiles,
            counts.columnTiles, counts.batches);
  plan.launch.gridBlocks = counts.tiles;
  plan.launch.blockThreads = counts.threads;
  plan.columns.offsetElems = segmentElems(plan, plan.rows);
  plan.launch.sharedBytes =
      static_cast<uint32_t>(std::min<uint64_t>(matrixSharedBytes(plan), UINT32_MAX));
  plan.launch.estimatedRegisters = registersOf(plan);
  const uint64_t perSm = (plan.launch.gridBlocks + target.smCount - 1) / target.smCount;
  plan.launch.minBlocksPerSm =
      static_cast<uint32_t>(std::min<uint64_t>(activeBlocks(plan.form, plan, target), perSm));
  MPF_CHECK(plan.launch.minBlocksPerSm > 0, "{} blocks, {} of them resident on {} multiprocessors",
            plan.launch.gridBlocks, plan.launch.minBlocksPerSm, target.smCount);
  if (plan.persistent)
    plan.launch.gridBlocks =
        std::min<uint64_t>(counts.tiles, uint64_t{target.smCount} * plan.launch.minBlocksPerSm);
  // Blocks that run together cover a square of the result: fewest different rows and columns.
  const double together = double(target.smCount) * plan.launch.minBlocksPerSm;
  const double wanted = std::sqrt(together * static_cast<double>(plan.rows.tile) /
                                  static_cast<double>(plan.columns.tile));
  plan.raster = std::clamp<uint64_t>(static_cast<uint64_t>(wanted + 0.5), 1, counts.columnTiles);
  if (const MatrixSide *stationary = stationarySide(plan))
    plan.raster = stationary == &plan.columns ? 1 : counts.columnTiles;
}

bool fits(const MatrixPlan &plan, const Target &target) {
  const uint32_t slack = onlyDoubleBuffers(plan) ? kDoubleBufferedSlack : kSlack;
  return plan.launch.sharedBytes <= target.sharedBytesPerBlock &&
         matrixCounts(plan).tiles <= INT32_MAX &&
         plan.launch.estimatedRegisters + slack <= target.maxRegistersPerThread &&
         plan.launch.estimatedRegisters <= reservedRegisters(plan.launch, target);
}

bool matches(const MatrixPlan &plan, const KernelOptions &options) {
  return (!options.stages || plan.stages == *options.stages) &&
         (!options.blockThreads || plan.launch.blockThreads == *options.blockThreads) &&
         (!options.sumChunk || plan.chunk == *options.sumChunk) &&
         (!options.registerOutputs ||
          warpTile(plan.rows) * warpTile(plan.columns) / 32 == *options.registerOutputs);
}

/// A tile may overhang its side by less than its half, or be one unit.
bool tileSuits(uint64_t tile, uint64_t extent) { return tile == 16 || tile < 2 * extent; }

class Builder {
public:
  Builder(const DigitForm &form, const KernelOptions &options) : form_(form), options_(options) {}

  std::vector<MatrixPlan> build() {
    const bool asked = options_.family == MatrixPlan::family;
    for (const OperandGrouping &grouping : operandGroupings(form_, kGroupings))
      if (asked || (fusedExtent(form_, grouping.rows) >= kLeastSide &&
                    fusedExtent(form_, grouping.columns) >= kLeastSide && !grouping.terms.empty()))
        addGrouping(grouping);
    return std::move(plans_);
  }

private:
  void addGrouping(const OperandGrouping &grouping) {
    const DigitAccess &rows = largestOf(form_, grouping.rowOperands);
    const DigitAccess &columns = largestOf(form_, grouping.columnOperands);
    std::vector<std::vector<DigitId>> termOrders = {byStride(grouping.terms, rows)};
    if (auto other = byStride(grouping.terms, columns); other != termOrders.front())
      termOrders.push_back(std::move(other));
    std::vector<std::vector<DigitId>> columnOrders = {byStride(grouping.columns, form_.result)};
    if (auto other = byStride(grouping.columns, columns); other != columnOrders.front())
      columnOrders.push_back(std::move(other));
    for (const auto &terms : termOrders)
      for (const auto &columnDigits : columnOrders) {
        MatrixPlan matrix;
        matrix.batch = byStride(grouping.batch, form_.result);
        matrix.terms = terms;
        matrix.rows = sideOf(form_, grouping.rowOperands, byStride(grouping.rows, rows), terms);
        matrix.columns = sideOf(form_, grouping.columnOperands, columnDigits, terms);
        matrix.rows.fragmentVector = matrix.rows.alongTerms ? 1 : 2;
        // f64: an instruction wants both picks of a column in registers that follow each other.
        matrix.columns.fragmentVector =
            options_.type == ElementType::F32 && !matrix.columns.alongTerms ? 2 : 1;
        addTiles(matrix);
      }
  }

  void addTiles(const MatrixPlan &base) {
    const uint64_t rows = fusedExtent(form_, base.rows.digits);
    const uint64_t columns = fusedExtent(form_, base.columns.digits);
    const uint64_t terms = fusedExtent(form_, base.terms);
    for (const WarpTile &tile : kWarpTiles) {
      MatrixPlan matrix = base;
      matrix.rows.tile = uint64_t{tile.rows} * tile.rowWarps;
      matrix.rows.warps = tile.rowWarps;
      matrix.columns.tile = uint64_t{tile.columns} * tile.columnWarps;
      matrix.columns.warps = tile.columnWarps;
      if (!tileSuits(matrix.rows.tile, rows) || !tileSuits(matrix.columns.tile, columns))
        continue;
      for (uint64_t chunk : kMatrixChunks) {
        if (chunk > 8 && chunk >= 2 * terms)
          continue;
        matrix.chunk = chunk;
        const uint64_t pages = (terms + chunk - 1) / chunk;
        const bool copies = options_.valueForm == ValueForm::Linear &&
                            (base.rows.operands.size() == 1 || base.columns.operands.size() == 1);
        for (uint32_t stages : kStages) {
          matrix.persistent = false;
          matrix.stages = pages == 1 ? 1 : stages;
          const bool useful = stages == 2 || (pages > 1 && copies && pages >= stages);
          if (useful)
            addForms(matrix);
          // At the begin of a tile only pages of this tile are in flight.
          matrix.persistent = true;
          matrix.stages = stages;
          if (copies && pages + 1 >= stages)
            addForms(matrix);
          for (MatrixSide *side : {&matrix.rows, &matrix.columns}) {
            const MatrixSide &other = side == &matrix.rows ? matrix.columns : matrix.rows;
            const bool copied =
                options_.valueForm == ValueForm::Linear && other.operands.size() == 1;
            side->stationary = true;
            if (stages == 2 || (copied && pages + 1 >= stages))
              addForms(matrix);
            side->stationary = false;
          }
        }
      }
    }
  }

  void addForms(MatrixPlan &matrix) {
    matrix.doubleBufferedFragments = false;
    addPlan(matrix);
    matrix.doubleBufferedFragments = true;
    if (matrix.stages > 1 && matrix.chunk % 16 == 0)
      addPlan(matrix);
  }

  void addPlan(const MatrixPlan &matrix) {
    MatrixPlan plan = matrix;
    plan.valueForm = options_.valueForm;
    if (plan.valueForm == ValueForm::Log)
      plan.logSum = LogSum::MantissaLoads;
    plan.type = options_.type;
    plan.form = form_;
    const bool wide = options_.type == ElementType::F32 || options_.target.wideF64Matrix;
    plan.instruction = wide ? MatrixInstruction{16, 8, 8} : MatrixInstruction{8, 8, 4};
    const MatrixCounts counts = matrixCounts(plan);
    for (MatrixSide *side : {&plan.rows, &plan.columns}) {
      side->fetchVector = pairsAllowed(plan, *side) ? 2 : 1;
      const MatrixShare share = matrixShare(plan, *side, counts.threads);
      const uint64_t across = side->alongTerms ? side->tile : plan.chunk;
      if (share.step == 0 || across % share.step != 0)
        return;
      MPF_CHECK(share.fast % share.within == 0, "{} vectors along a page, {} one after another",
                share.fast, share.within);
      layOutSide(plan, *side);
    }
    plan.storeVector = 1;
    for (const uint32_t width : {2u, 4u})
      if (storeAllowed(plan, width))
        plan.storeVector = width;
    setLaunch(plan, options_.target);
    if (!fits(plan, options_.target) || !matches(plan, options_) ||
        (plan.persistent && counts.tiles < kLeastPersistentTiles * plan.launch.gridBlocks) ||
        (plan.rows.stationary && counts.columnTiles < kLeastPersistentTiles) ||
        (plan.columns.stationary && counts.rowTiles < kLeastPersistentTiles))
      return;
    plan.indexWidth = matrixReach(plan) < INT32_MAX ? IndexWidth::Bits32 : IndexWidth::Bits64;
    for (MatrixSide *side : {&plan.rows, &plan.columns})
      side->conflictFree = isConflictFree(plan, *side, options_.target);
    modelCost(plan, options_.target);
    plans_.push_back(std::move(plan));
  }

  const DigitForm &form_;
  const KernelOptions &options_;
  std::vector<MatrixPlan> plans_;
};
} // namespace

bool matrixApplies(const DigitForm &form, const KernelOptions &options) {
  const bool sumProduct =
      form.semiring.reduce == Reduce::Sum && form.semiring.combine == Combine::Times;
  const bool single = options.type == ElementType::F32 && options.target.tf32MatrixFlopsPerUs > 0 &&
                      form.reducedAddresses() <= kMostSingleTerms;
  const bool computes =
      options.valueForm == ValueForm::Linear
          ? sumProduct && (options.type == ElementType::F64 || single)
          : options.type == ElementType::F64 && usesExp2(form, options.valueForm) &&
                options.logSum.value_or(LogSum::MantissaLoads) == LogSum::MantissaLoads;
  return computes && !form.readsPacked() && form.operands.size() > 1 &&
         options.target.warpThreads == 32;
}

std::vector<MatrixPlan> matrixPlans(const DigitForm &form, const KernelOptions &options) {
  if (!matrixApplies(form, options))
    return {};
  return Builder(form, options).build();
}

PlanOffers<MatrixPlan> matrixOffers(const DigitForm &form, const KernelOptions &options,
                                    const PlanWish &) {
  PlanOffers<MatrixPlan> offers;
  offers.plans = matrixPlans(form, options);
  offers.contenders = offers.plans.size();
  return offers;
}

void nameKernel(MatrixPlan &plan) {
  nameAfterText(plan, MatrixPlan::family,
                [](const MatrixPlan &shape) { return printMatrix(shape); });
}

} // namespace mpf
