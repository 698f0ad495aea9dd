#include "runtime/execute/lanes/runner_memory.h"

#include "codegen/bundle/lanes/common_tables.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"
#include "runtime/execute/lanes/wide_lanes.h"

#include <algorithm>

namespace mpf {

namespace {

/// The memory that the bound leaves, divided by the part of wide numbers.
constexpr uint64_t kWidePart = 8;

} // namespace

RunnerMemory divideRunnerMemory(const LaneProgram &program, size_t threads, uint64_t maxBytes) {
  RunnerMemory memory;
  memory.commonBytes = CommonTables::bytes(program);
  memory.wideBytes = WideLanes::bytes(program);
  const uint64_t needed = saturatingAdd(memory.commonBytes, memory.wideBytes);
  if (needed > maxBytes)
    fail(ErrorKind::MemoryBound,
         "query {}: the tables that all cases share take {} bytes with one case, the bound is {}",
         program.name, needed, maxBytes);
  // Few cases are wide, so more than one worker for them gets only a part of the remaining memory.
  const uint64_t more = (maxBytes - needed) / kWidePart / std::max<uint64_t>(memory.wideBytes, 1);
  memory.wideWorkers = 1 + std::min<uint64_t>(more, threads - 1);
  memory.linearBytes = maxBytes - needed - (memory.wideWorkers - 1) * memory.wideBytes;
  return memory;
}

uint64_t linearPart(uint64_t linearBytes, ElementType type, std::span<const ElementType> types) {
  uint64_t all = 0;
  for (const ElementType one : types)
    all += elementBytes(one);
  return linearBytes / all * elementBytes(type);
}

} // namespace mpf
