#include "codegen/emit/lanes/emit_lanes.h"

#include "codegen/bundle/lanes/lane_image.h"
#include "codegen/emit/lanes/lane_kernel_parts.h"
#include "codegen/emit/lanes/lane_text.h"
#include "dsl/support/counts.h"

#include <algorithm>

namespace mpf {

namespace {

/// Registers of a thread, as compilers have used them for programs with so many messages alive.
uint64_t expectedRegisters(const LaneProgram &program, ElementType type) {
  const uint64_t words = program.laneElems * (elementBytes(type) / 4);
  return std::min<uint64_t>(255, 40 + words * 45 / 100);
}

/// Threads of a block: the blocks that shared memory leaves room for take all registers together.
uint32_t threadsFor(const LaneProgram &program, ElementType type, uint64_t sharedBytes,
                    uint64_t sharedBytesPerSm) {
  constexpr uint64_t kRegisters = 65536; // of a multiprocessor, on all devices
  constexpr uint64_t kUsualBlocks = 4, kLeast = 128, kMost = 512, kWarp = 32;
  const uint64_t threads = kRegisters / expectedRegisters(program, type);
  const uint64_t blocks =
      std::clamp<uint64_t>(sharedBytesPerSm / (sharedBytes + kSystemBlockBytes), 1, kUsualBlocks);
  return static_cast<uint32_t>(
      std::clamp<uint64_t>(threads / blocks / kWarp * kWarp, kLeast, kMost));
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
  kernel.blockThreads = threadsFor(program, type, kernel.sharedBytes, limits.sharedBytesPerSm);
  kernel.blockCases = kernel.blockThreads;
  kernel.image = image.tables;
  kernel.imageElems = image.elems;
  nameLaneKernel(kernel, laneText(program, common, plan, type, image, kernel));
  return kernel;
}

} // namespace mpf
