#include "codegen/kernel/occupancy.h"

#include "codegen/kernel/kernel_shape.h"

#include <algorithm>

namespace mpf {

namespace {
constexpr uint64_t kBaseRegisters = 24;      ///< indices, loop counters, the stack of temporaries
constexpr uint64_t kRegistersPerOperand = 4; ///< a 64-bit base and an offset
constexpr uint64_t kRegisterGrain = 8;       ///< hardware allocates in units of 8 per thread
constexpr uint64_t kCompilerSlack = 16;      ///< room left to ptxas under __launch_bounds__
constexpr uint64_t kStagedWords = 32;        ///< more loads than that are not kept in flight
constexpr uint64_t kLog64Registers = 24;     ///< f64 exp2/log2 are calls in effect

uint64_t registerIndices(const KernelPlan &plan, uint32_t source) {
  uint64_t count = 1;
  for (uint32_t a = 0; a < plan.axes.size(); ++a)
    if (plan.axes[a].role == AxisRole::Register && sourceVaries(plan, source, a))
      count *= plan.axes[a].extent;
  return count;
}
} // namespace

/// Comparisons and 64-bit addresses that guarded digits keep alive for each register index.
uint64_t guardRegisters(const KernelPlan &plan) {
  uint64_t registers = 0;
  for (const Axis &axis : plan.axes)
    if (axis.role == AxisRole::Register && isGuarded(plan, axis.digit))
      registers += axis.extent + 2;
  return registers;
}

/// Staging vectors that are in flight together, in 4-byte words.
uint64_t stagingRegisters(const KernelPlan &plan) {
  uint64_t words = 0;
  for (const Segment &segment : plan.segments)
    if (segment.placement == Placement::Shared)
      words = std::max<uint64_t>(words, segment.sizeElems / std::max(1u, plan.launch.blockThreads) *
                                            elementBytes(plan.type) / 4);
  return std::min(words, kStagedWords);
}

uint32_t estimateRegisters(const KernelPlan &plan) {
  const uint64_t words = elementBytes(plan.type) / 4;
  const bool logSum =
      plan.form.semiring.reduce == Reduce::LogSum ||
      (plan.valueForm == ValueForm::Log && plan.form.semiring.reduce == Reduce::Sum);
  const uint64_t outputs = roleExtent(plan, AxisRole::Register);
  uint64_t values = outputs * (logSum ? 2 : 1); // the running maximum stands beside the sum
  uint64_t fragments = 0;
  for (const Segment &segment : plan.segments) {
    uint64_t fragment = registerIndices(plan, segment.operand);
    if (segment.placement == Placement::Registers)
      for (uint32_t a : segment.tagAxes)
        if (plan.axes[a].role == AxisRole::Sum)
          fragment *= plan.axes[a].extent;
    fragments += fragment;
  }
  for (uint32_t k = 0; k < plan.products.size(); ++k) {
    const auto source = static_cast<uint32_t>(plan.form.operands.size() + k);
    const uint64_t indices = registerIndices(plan, source);
    fragments +=
        indices < outputs ? indices : 0; // full-size products are consumed as they are formed
  }
  // Staging and the sum loops take turns, the accumulators stay.
  uint64_t registers = values * words + std::max(fragments * words, stagingRegisters(plan)) +
                       kBaseRegisters + kRegistersPerOperand * plan.form.operands.size() +
                       guardRegisters(plan);
  if (logSum && plan.type == ElementType::F64)
    registers += kLog64Registers;
  registers = (registers + kRegisterGrain - 1) / kRegisterGrain * kRegisterGrain;
  return static_cast<uint32_t>(std::min<uint64_t>(registers, 1u << 20));
}

uint32_t activeBlocks(const KernelPlan &plan, const Target &target) {
  const uint32_t threads = std::max(1u, plan.launch.blockThreads);
  const uint32_t warps = (threads + target.warpThreads - 1) / target.warpThreads;
  uint64_t blocks = std::min<uint64_t>(
      target.maxBlocksPerSm, target.maxThreadsPerSm / (uint64_t{warps} * target.warpThreads));
  if (plan.launch.sharedBytes != 0) // 1 KiB per block belongs to the system
    blocks = std::min<uint64_t>(blocks, target.sharedBytesPerSm /
                                            (uint64_t{plan.launch.sharedBytes} + 1024));
  const uint64_t registers = uint64_t{std::max(1u, plan.launch.estimatedRegisters)};
  const uint64_t allocated = (registers + kCompilerSlack) * warps * target.warpThreads;
  blocks = std::min<uint64_t>(blocks, target.registersPerSm / allocated);
  return static_cast<uint32_t>(std::max<uint64_t>(1, blocks));
}

double waveFactor(const KernelPlan &plan, const Target &target) {
  const uint64_t blocks = plan.launch.gridBlocks;
  const uint64_t busiest = blocks / target.smCount + (blocks % target.smCount != 0);
  return static_cast<double>(busiest) * target.smCount / static_cast<double>(blocks);
}

void setOccupancy(KernelPlan &plan, const Target &target) {
  plan.launch.estimatedRegisters = estimateRegisters(plan);
  plan.launch.minBlocksPerSm = activeBlocks(plan, target);
}

} // namespace mpf
