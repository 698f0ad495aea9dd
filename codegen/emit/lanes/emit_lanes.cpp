#include "codegen/emit/lanes/emit_lanes.h"

#include "codegen/bundle/lanes/lane_image.h"
#include "codegen/emit/lanes/lane_kernel_parts.h"
#include "codegen/emit/lanes/lane_text.h"
#include "dsl/support/counts.h"

#include <algorithm>

namespace mpf {

namespace {

/// Returns the expected registers of a thread: for entries, and for addresses and codes. Entries
/// beyond 255 registers spill.
uint64_t expectedRegisters(uint64_t aliveEntries, ElementType type) {
  return std::min<uint64_t>(255, 16 + aliveEntries * (elementBytes(type) / 4));
}

/// Returns the shape with which the blocks that fit shared memory use all registers together. Each
/// quarter of a multiprocessor gets the same number of warps.
LaneBlockShape shapeFor(uint64_t aliveEntries, ElementType type, uint64_t sharedBytes,
                        uint64_t sharedBytesPerSm) {
  constexpr uint64_t kRegisters = 65536; // of a multiprocessor, on all devices
  constexpr uint64_t kUsualBlocks = 4, kLeastWarps = 4, kMostWarps = 16, kQuarters = 4, kWarp = 32;
  const uint64_t warps =
      kRegisters / kWarp / expectedRegisters(aliveEntries, type) / kQuarters * kQuarters;
  uint64_t blocks =
      std::clamp<uint64_t>(sharedBytesPerSm / (sharedBytes + kSystemBlockBytes), 1, kUsualBlocks);
  while (warps % blocks != 0 || warps / blocks < kLeastWarps)
    --blocks;
  return {static_cast<uint32_t>(std::min(warps / blocks, kMostWarps) * kWarp),
          static_cast<uint32_t>(blocks)};
}

} // namespace

uint64_t laneKernelTerms(const LaneProgram &program) {
  uint64_t terms = 0;
  for (const LaneStep &step : program.steps)
    if (const auto *operation = std::get_if<LaneOperation>(&step))
      terms =
          saturatingAdd(terms, saturatingMul(operation->addresses(),
                                             std::max<size_t>(operation->operands.size(), 2) - 1));
    else
      terms = saturatingAdd(terms, program.tables[std::get<LaneGather>(step).message].sizeElems);
  return terms;
}

LaneKernelLimits laneKernelLimits(const Target &target) {
  LaneKernelLimits limits;
  limits.sharedBytesPerSm = target.sharedBytesPerSm;
  // Two blocks at least, so that one computes while the other waits.
  limits.sharedBytes = std::min<uint64_t>({limits.sharedBytes, target.sharedBytesPerBlock,
                                           target.sharedBytesPerSm / 2 - kSystemBlockBytes});
  return limits;
}

std::optional<LaneKernel> emitLanes(const LaneProgram &program, const CommonTables &common,
                                    const LinearPlan &plan, ElementType type,
                                    const LaneKernelLimits &limits) {
  if (laneKernelTerms(program) > limits.terms)
    return std::nullopt;
  const LaneImage image =
      placeLaneTables(program, laneVectorElems(type), limits.sharedBytes / elementBytes(type));
  LaneKernel kernel;
  describeLaneKernel(program, plan, kernel);
  kernel.sharedBytes = static_cast<uint32_t>(image.sharedElems * elementBytes(type));
  kernel.pickedBytes = kernel.sharedBytes;
  kernel.image = image.tables;
  kernel.imageElems = image.elems;
  const auto shape = [&](uint64_t aliveEntries) {
    const LaneBlockShape made =
        shapeFor(aliveEntries, type, kernel.sharedBytes, limits.sharedBytesPerSm);
    kernel.blockThreads = kernel.blockCases = made.threads;
    return made;
  };
  nameLaneKernel(kernel, laneText({program, common, plan, type, image, kernel}, shape));
  return kernel;
}

} // namespace mpf
