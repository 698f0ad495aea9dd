#include "runtime/execute/lanes/strip_memory.h"

#include "codegen/bundle/lanes/shared_tables.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"
#include "runtime/execute/lanes/kernels/lane_kernels.h"
#include "runtime/execute/lanes/strip_codes.h"
#include "runtime/execute/lanes/strip_steps.h"

#include <algorithm>

namespace mpf {

namespace {

/// The largest memory of a strip of wide kernels, so that its messages stay in the second-level
/// cache. Larger programs use narrow strips.
constexpr uint64_t kMostWideStripBytes = uint64_t{1} << 20;

/// Returns the memory that all workers share: tables and addresses.
uint64_t sharedBytes(const LaneProgram &program, const StripMemory &memory, uint64_t entryBytes) {
  uint64_t bytes = saturatingAdd(stripAddressBytes(program, memory.schedule, memory.nests),
                                 kReadBehindShared * entryBytes);
  for (const uint32_t table : sharedTables(program))
    bytes = saturatingAdd(bytes, saturatingMul(program.tables[table].sizeElems, entryBytes));
  return bytes;
}

uint64_t workerBytes(const LaneProgram &program, const LinearPlan &plan, uint64_t laneElems,
                     uint64_t entryBytes, size_t lanes) {
  const auto exponents = static_cast<uint64_t>(
      std::ranges::count_if(plan.hasExponent, [](char has) { return has != 0; }));
  const uint64_t entries = saturatingAdd(laneElems, program.schema.weightCount());
  return saturatingAdd(saturatingMul(entries, lanes * entryBytes),
                       exponents * lanes * sizeof(int32_t) +
                           StripCodes::bytes(program.schema.observed.size(), lanes));
}

/// Returns the lanes of a vector in narrow strips, which may be narrower than a register.
size_t vectorLanesOf(ElementType type) {
  return type == ElementType::F32 ? laneKernels<float>().narrow.vectorLanes
                                  : laneKernels<double>().narrow.vectorLanes;
}

} // namespace

StripMemory planStripMemory(const LaneProgram &program, const LinearPlan &plan, ElementType type,
                            size_t threads, uint64_t maxBytes) {
  const uint64_t entryBytes = elementBytes(type);
  const auto stripOf = [&](size_t stripBytes, const StripSchedule &schedule) {
    StripMemory memory;
    memory.isWide = stripBytes == kWideStripBytes;
    memory.lanes = stripBytes / entryBytes;
    memory.schedule = schedule;
    memory.nests = stripNests(program, schedule, stripBytes, entryBytes);
    memory.sharedBytes = sharedBytes(program, memory, entryBytes);
    memory.workerBytes = workerBytes(program, plan, schedule.laneElems, entryBytes, memory.lanes);
    return memory;
  };
  const auto fits = [maxBytes](const StripMemory &memory) {
    return saturatingAdd(memory.sharedBytes, memory.workerBytes) <= maxBytes;
  };
  const StripSchedule schedule = scheduleButterflies(program, plan);
  const bool mayBeWide = workerBytes(program, plan, schedule.laneElems, entryBytes,
                                     kWideStripBytes / entryBytes) <= kMostWideStripBytes;
  StripMemory memory = stripOf(mayBeWide ? kWideStripBytes : kNarrowStripBytes, schedule);
  if (mayBeWide && !fits(memory))
    memory = stripOf(kNarrowStripBytes, schedule);
  if (!schedule.butterflies.empty() && !fits(memory))
    memory = stripOf(kNarrowStripBytes, scheduleAlone(program));
  const uint64_t left = maxBytes - std::min(memory.sharedBytes, maxBytes);
  memory.workers = std::min<uint64_t>(threads, left / std::max<uint64_t>(memory.workerBytes, 1));
  if (memory.workers == 0)
    fail(ErrorKind::MemoryBound,
         "query {}: the messages of {} cases take {} bytes, shared tables and addresses {}, the "
         "bound is {}",
         program.name, memory.lanes, memory.workerBytes, memory.sharedBytes, maxBytes);
  return memory;
}

StripChoice stripsToCompile(const LaneProgram &program, const CommonTables &common,
                            const LinearPlan &plan, ElementType type, const StripMemory &memory,
                            double expectedCases) {
  const StripPlaces places =
      placeStrip(program, plan, memory.schedule, memory.lanes, vectorLanesOf(type));
  return chooseStrips({program, common, plan, type, places}, stepsAlone(memory.schedule),
                      expectedCases);
}

} // namespace mpf
