#include "codegen/kernel/plan/verify_matrix.h"

#include "codegen/kernel/plan/log_form.h"
#include "codegen/kernel/plan/matrix_shape.h"
#include "dsl/support/counts.h"
#include "dsl/support/identifier.h"

#include <algorithm>

namespace mpf {

namespace {
constexpr uint64_t kMaxWarpTile = 512;
constexpr uint64_t kMaxChunk = 64;
constexpr uint64_t kMaxMatrixStages = 8;
constexpr uint64_t kMaxAccumulators = 256; ///< of a thread: above any real plan

bool isInstruction(const MatrixInstruction &i, ElementType type, const Target &target) {
  if (i.columns != 8)
    return false;
  if (type == ElementType::F32)
    return i.rows == 16 && i.terms == 8 && target.tf32MatrixFlopsPerUs > 0;
  if (i.rows == 8)
    return i.terms == 4;
  return i.rows == 16 && target.wideF64Matrix && (i.terms == 4 || i.terms == 8 || i.terms == 16);
}

bool has(const std::vector<uint32_t> &list, uint32_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// Returns a fault of the digits. Every digit must have exactly the role that its operands give it.
std::string findDigitFault(const MatrixPlan &plan) {
  std::vector<int> seen(plan.form.digits.size(), 0);
  for (const auto *list : {&plan.batch, &plan.terms, &plan.rows.digits, &plan.columns.digits})
    for (DigitId digit : *list) {
      if (digit.index() >= seen.size())
        return fmt::format("digit {} of {}", digit, seen.size());
      if (++seen[digit.index()] > 1)
        return fmt::format("digit {} has two roles", digit);
      if (plan.form.digits[digit.index()].reduced != (list == &plan.terms))
        return fmt::format("digit {} is {} the terms", digit,
                           list == &plan.terms ? "kept, but among" : "reduced, but not among");
    }
  for (size_t d = 0; d < seen.size(); ++d)
    if (seen[d] == 0 && plan.form.digits[d].extent > 1)
      return fmt::format("digit {} has no role", d);
  for (const auto &[side, other] :
       {std::pair(&plan.rows, &plan.columns), std::pair(&plan.columns, &plan.rows)})
    for (uint32_t operand : other->operands)
      if (variesOver(plan.form, operand, side->digits))
        return fmt::format("operand {} is not of the side whose digits it has", operand);
  return {};
}

std::string findOperandFault(const MatrixPlan &plan) {
  for (uint32_t i = 0; i < plan.form.operands.size(); ++i)
    if (has(plan.rows.operands, i) == has(plan.columns.operands, i))
      return fmt::format("operand {} belongs to {} of rows and columns", i,
                         has(plan.rows.operands, i) ? "both" : "none");
  for (const MatrixSide *side : {&plan.rows, &plan.columns}) {
    if (side->operands.empty())
      return "a side of the matrix product without operands";
    for (size_t i = 0; i < side->operands.size(); ++i)
      if (side->operands[i] >= plan.form.operands.size() ||
          (i > 0 && side->operands[i] <= side->operands[i - 1]))
        return fmt::format("operand {} is not there or not in order", side->operands[i]);
  }
  return {};
}

std::string findSideFault(const MatrixPlan &plan, const MatrixSide &side, const char *name,
                          const Target &target) {
  if (side.fragmentVector != 1 && (side.fragmentVector != 2 || side.alongTerms))
    return fmt::format("{}: fragment loads of {} entries", name, side.fragmentVector);
  if (side.fetchVector != 1 && (side.fetchVector != 2 || !pairsAllowed(plan, side)))
    return fmt::format("{}: fetches of {} entries are not contiguous, aligned and all inside or "
                       "outside",
                       name, side.fetchVector);
  const MatrixShare share = matrixShare(plan, side, plan.launch.blockThreads);
  const uint64_t across = side.alongTerms ? side.tile : plan.chunk;
  if (share.step == 0 || across % share.step != 0 || share.fast % share.within != 0)
    return fmt::format("{}: {} threads do not share out {} x {} entries", name,
                       plan.launch.blockThreads, side.tile, plan.chunk);
  const bool sound =
      side.alongTerms
          ? side.termStride == 1 && side.sideStride >= 4 && side.sideStride % 2 == 0 &&
                side.groupStride >= side.sideStride * side.tile && side.groupStride % 2 == 0
          : side.sideStride == 1 && side.termStride >= side.tile && side.termStride % 2 == 0 &&
                side.groupStride == 4 * side.termStride;
  constexpr uint64_t kMaxStride = uint64_t{1} << 24;
  if (!sound || std::max({side.sideStride, side.termStride, side.groupStride}) > kMaxStride)
    return fmt::format("{}: strides {},{},{} overlap or leave pairs unaligned", name,
                       side.sideStride, side.termStride, side.groupStride);
  const uint64_t last = segmentOffset(side, side.tile - 1, plan.chunk - 1);
  if (last >= side.allocatedElems || side.allocatedElems % 2 != 0 || side.offsetElems % 2 != 0)
    return fmt::format("{}: the segment reaches entry {} of {} allocated from {}", name, last,
                       side.allocatedElems, side.offsetElems);
  const uint64_t end = saturatingAdd(side.offsetElems, segmentElems(plan, side));
  if (saturatingMul(end, elementBytes(plan.type)) > plan.launch.sharedBytes)
    return fmt::format("{}: the segment ends at element {} of {} bytes of shared memory", name, end,
                       plan.launch.sharedBytes);
  if (side.conflictFree && !isConflictFree(plan, side, target))
    return fmt::format("{}: the segment promises no bank conflicts, but has some", name);
  return {};
}

std::string findTileFault(const MatrixPlan &plan, const Target &target) {
  if (!isInstruction(plan.instruction, plan.type, target))
    return fmt::format("{} has no instruction m{}n{}k{} for {}", target.name, plan.instruction.rows,
                       plan.instruction.columns, plan.instruction.terms,
                       plan.type == ElementType::F32 ? "f32" : "f64");
  if (plan.chunk == 0 || plan.chunk > kMaxChunk || plan.chunk % 8 != 0 ||
      plan.chunk % plan.instruction.terms != 0)
    return fmt::format("pages of {} terms, a multiple of 8 and {} is wanted", plan.chunk,
                       plan.instruction.terms);
  for (const MatrixSide *side : {&plan.rows, &plan.columns})
    if (side->tile == 0 || side->tile > kMaxWarpTile || side->warps == 0 || side->warps > 32 ||
        side->tile % (uint64_t{16} * side->warps) != 0)
      return fmt::format("{}: a tile of {} for {} warps, each wants a multiple of 16",
                         side == &plan.rows ? "rows" : "columns", side->tile, side->warps);
  if (plan.stages == 0 || plan.stages > kMaxMatrixStages || plan.raster == 0)
    return fmt::format("{} stages, swaths of {} tiles", plan.stages, plan.raster);
  return {};
}

std::string findCountFault(const MatrixPlan &plan, const Target &target) {
  if (const uint64_t held = warpTile(plan.rows) * warpTile(plan.columns) / 32;
      held > kMaxAccumulators)
    return fmt::format("{} results in the registers of a thread, at most {}", held,
                       kMaxAccumulators);
  if (plan.launch.minBlocksPerSm == 0 || plan.launch.minBlocksPerSm > target.maxBlocksPerSm)
    return fmt::format("{} blocks per multiprocessor, {} holds 1 to {}", plan.launch.minBlocksPerSm,
                       target.name, target.maxBlocksPerSm);
  const MatrixCounts counts = matrixCounts(plan);
  if (plan.stages == 1 && counts.pages != 1)
    return fmt::format("one stage for {} pages", counts.pages);
  if (plan.persistent && (plan.stages < 2 || plan.stages > counts.pages + 1))
    return fmt::format("{} stages of a block that goes from tile to tile of {} pages", plan.stages,
                       counts.pages);
  if (stationarySide(plan) && (!plan.persistent || plan.rows.stationary == plan.columns.stationary))
    return "a side is stationary in blocks that go along the other side, which is not";
  // Tiles of a stationary side follow one another (writeTiles).
  if ((plan.columns.stationary && plan.raster != 1) ||
      (plan.rows.stationary && plan.raster < counts.columnTiles))
    return fmt::format("a side is stationary, but {} columns of tiles make a swath", plan.raster);
  if (plan.doubleBufferedFragments && (plan.stages < 2 || matrixSteps(plan) % 2 != 0))
    return fmt::format("fragments of the next of {} steps ahead, with {} stages", matrixSteps(plan),
                       plan.stages);
  const bool fits = plan.persistent
                        ? plan.launch.gridBlocks >= 1 && plan.launch.gridBlocks <= counts.tiles
                        : plan.launch.gridBlocks == counts.tiles;
  if (!fits || counts.tiles > INT32_MAX)
    return fmt::format("grid of {} blocks, batches and tiles make {}", plan.launch.gridBlocks,
                       counts.tiles);
  if (plan.launch.blockThreads != counts.threads || counts.threads > target.maxThreadsPerBlock)
    return fmt::format("{} threads per block, the warps make {}, {} allows {}",
                       plan.launch.blockThreads, counts.threads, target.name,
                       target.maxThreadsPerBlock);
  if (plan.launch.sharedBytes > target.sharedBytesPerBlock)
    return fmt::format("{} bytes of shared memory, {} has {}", plan.launch.sharedBytes, target.name,
                       target.sharedBytesPerBlock);
  if (plan.indexWidth == IndexWidth::Bits32 && matrixReach(plan) >= INT32_MAX)
    return fmt::format("32-bit indices, but an offset reaches {}", matrixReach(plan));
  if (matrixSharedBytes(plan) > plan.launch.sharedBytes)
    return fmt::format("pages and results take {} bytes of shared memory, there are {}",
                       matrixSharedBytes(plan), plan.launch.sharedBytes);
  return {};
}

std::string findSegmentOverlap(const MatrixPlan &plan) {
  const auto end = [&](const MatrixSide &side) {
    return side.offsetElems + segmentElems(plan, side);
  };
  if (plan.rows.offsetElems < end(plan.columns) && plan.columns.offsetElems < end(plan.rows))
    return "the segments of rows and columns overlap";
  return {};
}
} // namespace

std::string findFault(const MatrixPlan &plan, const Target &target) {
  if (!isIdentifier(plan.name))
    return fmt::format("kernel name '{}' is not an identifier", plan.name);
  if (std::string fault = findFault(plan.form); !fault.empty())
    return fault;
  if (plan.form.readsPacked())
    return fmt::format("an operand is packed, but {}", packing_fault::kInMatrixProduct);
  const Semiring semiring = plan.form.semiring;
  const bool linear = plan.valueForm == ValueForm::Linear && semiring.reduce == Reduce::Sum &&
                      semiring.combine == Combine::Times;
  const bool logs = plan.type == ElementType::F64 && usesScaledMantissas(plan.form, plan) &&
                    plan.logSum == LogSum::MantissaLoads;
  if (!(linear || logs) || isIntegerType(plan.type))
    return "matrix instructions compute linear sums of products, and f64 sums of logarithms whose "
           "exponents are split off as they are loaded";
  if (plan.type == ElementType::F32 && plan.form.reducedAddresses() > kMostSingleTerms)
    return fmt::format(
        "sums of {} terms by matrix instructions of f32, at most {} are exact enough",
        plan.form.reducedAddresses(), kMostSingleTerms);
  std::string fault = findOperandFault(plan);
  if (fault.empty())
    fault = findDigitFault(plan);
  if (fault.empty())
    fault = findTileFault(plan, target);
  if (fault.empty())
    fault = findSideFault(plan, plan.rows, "rows", target);
  if (fault.empty())
    fault = findSideFault(plan, plan.columns, "columns", target);
  if (fault.empty() && !storeAllowed(plan, plan.storeVector))
    fault = fmt::format("stores of {} elements are not contiguous, aligned and all inside or "
                        "outside",
                        plan.storeVector);
  if (fault.empty())
    fault = findCountFault(plan, target);
  if (fault.empty())
    fault = findSegmentOverlap(plan);
  return fault;
}

} // namespace mpf
