#include "codegen/emit/lanes/emit_lanes.h"

#include "codegen/bundle/lanes/lane_addresses.h"
#include "codegen/emit/lanes/lane_image.h"
#include "codegen/emit/lanes/lane_text.h"
#include "codegen/emit/nest/preambles.h"
#include "dsl/support/counts.h"
#include "dsl/support/hash.h"

#include <algorithm>
#include <span>

namespace mpf {

extern const std::string_view kLanePreamble;

namespace {

/// Columns in the order in which the program reads them: those of one row lie in one word.
std::vector<uint32_t> codeOrder(const LaneProgram &program) {
  std::vector<uint32_t> order;
  const auto add = [&order](uint32_t column) {
    if (std::find(order.begin(), order.end(), column) == order.end())
      order.push_back(column);
  };
  for (const LaneStep &step : program.steps)
    if (const auto *gather = std::get_if<LaneGather>(&step))
      for (const LaneCode &code : gather->codes)
        add(code.column);
  return order;
}

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

LaneKernelLimits leastLaneKernelLimits() {
  Target least; // sm_75
  least.sharedBytesPerSm = least.sharedBytesPerBlock = 64 << 10;
  return laneKernelLimits(least);
}

std::optional<LaneKernel> emitLanes(const LaneProgram &program, const CommonTables &common,
                                    const LinearPlan &plan, ElementType type,
                                    const LaneKernelLimits &limits) {
  if (laneKernelTerms(program) > limits.terms)
    return std::nullopt;
  const uint64_t vectorElems = 16 / elementBytes(type);
  const LaneImage image =
      placeLaneTables(program, vectorElems, limits.sharedBytes / elementBytes(type));
  LaneKernel kernel;
  kernel.sharedBytes = static_cast<uint32_t>(image.sharedElems * elementBytes(type));
  kernel.blockThreads = threadsFor(program, type, kernel.sharedBytes, limits.sharedBytesPerSm);
  kernel.codeOrder = codeOrder(program);
  kernel.codesPerWord = 4 / codeBytesFor(program.schema);
  kernel.image = image.tables;
  kernel.imageElems = image.elems;
  for (uint32_t o = 0; o < program.outputs.size(); ++o) {
    const LaneOutput &output = program.outputs[o];
    kernel.resultElems += output.sizeElems();
    if (!output.normalised && plan.hasExponent[output.access.table] != 0)
      kernel.exponentOutputs.push_back(o);
  }
  const std::string body = laneText(program, common, plan, type, image, kernel);
  HashBuilder hash;
  hash.addBytes(std::as_bytes(std::span(body)));
  kernel.name = fmt::format("lanes_{:016x}", hash.finish().low);
  kernel.source = fmt::format("{}{}\n#define MPF_LANES {}\n{}", preambleText({}), kLanePreamble,
                              kernel.name, body);
  return kernel;
}

} // namespace mpf
