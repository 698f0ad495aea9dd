// Family mma: what verify_kernel.h promises about its plan.
#include "codegen/kernel/plan/kernel_shape.h"
#include "codegen/kernel/plan/matrix_shape.h"
#include "codegen/kernel/plan/verify_kernel.h"
#include "dsl/support/counts.h"

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

/// Every digit stands in the one role that its operands give it.
std::string findDigitFault(const KernelPlan &plan) {
  const MatrixPlan &matrix = *plan.matrix;
  std::vector<int> seen(plan.form.digits.size(), 0);
  for (const auto *list :
       {&matrix.batch, &matrix.terms, &matrix.rows.digits, &matrix.columns.digits})
    for (DigitId digit : *list) {
      if (digit.index() >= seen.size())
        return fmt::format("digit {} of {}", digit, seen.size());
      if (++seen[digit.index()] > 1)
        return fmt::format("digit {} has two roles", digit);
      if (plan.form.digits[digit.index()].reduced != (list == &matrix.terms))
        return fmt::format("digit {} is {} the terms", digit,
                           list == &matrix.terms ? "kept, but among" : "reduced, but not among");
    }
  for (size_t d = 0; d < seen.size(); ++d)
    if (seen[d] == 0 && plan.form.digits[d].extent > 1)
      return fmt::format("digit {} has no role", d);
  for (const auto &[side, other] :
       {std::pair(&matrix.rows, &matrix.columns), std::pair(&matrix.columns, &matrix.rows)})
    for (uint32_t operand : other->operands)
      if (variesOver(plan.form, operand, side->digits))
        return fmt::format("operand {} is not of the side whose digits it has", operand);
  return {};
}

std::string findOperandFault(const KernelPlan &plan) {
  const MatrixPlan &matrix = *plan.matrix;
  for (uint32_t i = 0; i < plan.form.operands.size(); ++i)
    if (has(matrix.rows.operands, i) == has(matrix.columns.operands, i))
      return fmt::format("operand {} belongs to {} of rows and columns", i,
                         has(matrix.rows.operands, i) ? "both" : "none");
  for (const MatrixSide *side : {&matrix.rows, &matrix.columns}) {
    if (side->operands.empty())
      return "a side of the matrix product without operands";
    for (size_t i = 0; i < side->operands.size(); ++i)
      if (side->operands[i] >= plan.form.operands.size() ||
          (i > 0 && side->operands[i] <= side->operands[i - 1]))
        return fmt::format("operand {} is not there or not in order", side->operands[i]);
  }
  return {};
}

std::string findSideFault(const KernelPlan &plan, const MatrixSide &side, const char *name,
                          const Target &target) {
  const MatrixPlan &matrix = *plan.matrix;
  if (side.fragmentVector != 1 && (side.fragmentVector != 2 || side.alongTerms))
    return fmt::format("{}: fragment loads of {} entries", name, side.fragmentVector);
  if (side.fetchVector != 1 && (side.fetchVector != 2 || !pairsAllowed(plan.form, matrix, side)))
    return fmt::format("{}: fetches of {} entries are not contiguous, aligned and all inside or "
                       "outside",
                       name, side.fetchVector);
  const MatrixShare share = matrixShare(matrix, side, plan.launch.blockThreads);
  const uint64_t across = side.alongTerms ? side.tile : matrix.chunk;
  if (share.step == 0 || across % share.step != 0 || share.fast % share.within != 0)
    return fmt::format("{}: {} threads do not share out {} x {} entries", name,
                       plan.launch.blockThreads, side.tile, matrix.chunk);
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
  const uint64_t last = segmentOffset(side, side.tile - 1, matrix.chunk - 1);
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

std::string findTileFault(const KernelPlan &plan, const Target &target) {
  const MatrixPlan &matrix = *plan.matrix;
  if (!isInstruction(matrix.instruction, plan.type, target))
    return fmt::format("{} has no instruction m{}n{}k{} for {}", target.name,
                       matrix.instruction.rows, matrix.instruction.columns,
                       matrix.instruction.terms, plan.type == ElementType::F32 ? "f32" : "f64");
  if (matrix.chunk == 0 || matrix.chunk > kMaxChunk || matrix.chunk % 8 != 0 ||
      matrix.chunk % matrix.instruction.terms != 0)
    return fmt::format("pages of {} terms, a multiple of 8 and {} is wanted", matrix.chunk,
                       matrix.instruction.terms);
  for (const MatrixSide *side : {&matrix.rows, &matrix.columns})
    if (side->tile == 0 || side->tile > kMaxWarpTile || side->warps == 0 || side->warps > 32 ||
        side->tile % (uint64_t{16} * side->warps) != 0)
      return fmt::format("{}: a tile of {} for {} warps, each wants a multiple of 16",
                         side == &matrix.rows ? "rows" : "columns", side->tile, side->warps);
  if (matrix.stages == 0 || matrix.stages > kMaxMatrixStages || matrix.raster == 0)
    return fmt::format("{} stages, swaths of {} tiles", matrix.stages, matrix.raster);
  return {};
}

std::string findCountFault(const KernelPlan &plan, const Target &target) {
  const MatrixPlan &matrix = *plan.matrix;
  if (const uint64_t held = warpTile(matrix.rows) * warpTile(matrix.columns) / 32;
      held > kMaxAccumulators)
    return fmt::format("{} results in the registers of a thread, at most {}", held,
                       kMaxAccumulators);
  if (plan.launch.minBlocksPerSm == 0 || plan.launch.minBlocksPerSm > target.maxBlocksPerSm)
    return fmt::format("{} blocks per multiprocessor, {} holds 1 to {}", plan.launch.minBlocksPerSm,
                       target.name, target.maxBlocksPerSm);
  const MatrixCounts counts = matrixCounts(plan);
  if (matrix.stages == 1 && counts.pages != 1)
    return fmt::format("one stage for {} pages", counts.pages);
  if (matrix.persistent && (matrix.stages < 2 || matrix.stages > counts.pages + 1))
    return fmt::format("{} stages of a block that goes from tile to tile of {} pages",
                       matrix.stages, counts.pages);
  if (stationarySide(matrix) &&
      (!matrix.persistent || matrix.rows.stationary == matrix.columns.stationary))
    return "a side is stationary in blocks that go along the other side, which is not";
  // Tiles of a stationary side follow one another (writeTiles).
  if ((matrix.columns.stationary && matrix.raster != 1) ||
      (matrix.rows.stationary && matrix.raster < counts.columnTiles))
    return fmt::format("a side is stationary, but {} columns of tiles make a swath", matrix.raster);
  if (matrix.doubleBufferedFragments && (matrix.stages < 2 || matrixSteps(matrix) % 2 != 0))
    return fmt::format("fragments of the next of {} steps ahead, with {} stages",
                       matrixSteps(matrix), matrix.stages);
  const bool fits = matrix.persistent
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

std::string findSegmentOverlap(const KernelPlan &plan) {
  const MatrixPlan &matrix = *plan.matrix;
  const auto end = [&](const MatrixSide &side) {
    return side.offsetElems + segmentElems(plan, side);
  };
  if (matrix.rows.offsetElems < end(matrix.columns) &&
      matrix.columns.offsetElems < end(matrix.rows))
    return "the segments of rows and columns overlap";
  return {};
}
} // namespace

std::string detail::findMatrixFault(const KernelPlan &plan, const Target &target) {
  if (!plan.matrix)
    return "a plan of family mma without a matrix product";
  const Semiring semiring = plan.form.semiring;
  const bool linear = plan.valueForm == ValueForm::Linear && semiring.reduce == Reduce::Sum &&
                      semiring.combine == Combine::Times;
  const bool logs = plan.type == ElementType::F64 && usesScaledMantissas(plan) &&
                    plan.logSum == LogSum::SplitLoads;
  if (!(linear || logs) || isIntegerType(plan.type))
    return "matrix instructions compute linear sums of products, and f64 sums of logarithms whose "
           "exponents are split off as they are loaded";
  if (plan.type == ElementType::F32 && plan.form.reducedAddresses() > kMostSingleTerms)
    return fmt::format(
        "sums of {} terms by matrix instructions of f32, at most {} are exact enough",
        plan.form.reducedAddresses(), kMostSingleTerms);
  if (!plan.axes.empty() || !plan.segments.empty() || !plan.products.empty() || plan.stages != 1)
    return "a matrix product with axes, segments, products or stages of the other families";
  const MatrixPlan &matrix = *plan.matrix;
  std::string fault = findOperandFault(plan);
  if (fault.empty())
    fault = findDigitFault(plan);
  if (fault.empty())
    fault = findTileFault(plan, target);
  if (fault.empty())
    fault = findSideFault(plan, matrix.rows, "rows", target);
  if (fault.empty())
    fault = findSideFault(plan, matrix.columns, "columns", target);
  if (fault.empty() && !storeAllowed(plan.form, matrix, plan.type, plan.storeVector))
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
