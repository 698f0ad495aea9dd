// The tables of the level kernel (codegen/emit/preamble/mpf_level.cuh): mapping vectors and records
// of operations, host mirrors of its structs.
#pragma once

#include "runtime/execute/gpu/tables/task_shape.h"
#include "runtime/schedule/launches/launch_plan.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpf {

/// Mirrors MpfRecordUnit.
using GpuRecordUnit = std::array<float, 4>;
inline constexpr size_t kRecordOperationUnits = sizeof(GpuOperation) / sizeof(GpuRecordUnit);
inline constexpr size_t kRecordDigitUnits = sizeof(GpuDigit) / sizeof(GpuRecordUnit);
static_assert(sizeof(GpuOperation) % sizeof(GpuRecordUnit) == 0);

/// The operations of a bundle, each with its digits behind it.
struct GpuRecords {
  std::vector<GpuRecordUnit> units;
  std::vector<uint32_t> first; ///< by operation, and the end
  uint32_t count(uint32_t operation) const { return first[operation + 1] - first[operation]; }
  /// Writes an operation anew, whose digits stay.
  void set(uint32_t index, const GpuOperation &operation);
};

GpuRecords buildGpuRecords(const GpuOperationTable &table);

/// Mirrors MpfLevelTask.
struct GpuLevelTask {
  uint64_t firstOutput = 0, endOutput = 0;
  uint64_t firstTerm = 0, endTerm = 0;
  int32_t record = 0, units = 0;
  int32_t lanes = 1;
  int32_t flags = 0;
  int32_t teams = 1;
  int32_t partial = -1;
  int32_t firstPartial = -1;
  int32_t counter = 0;
  GpuAddressParts outputParts, termParts; ///< without kTaskTabled all 0
  int32_t ahead = 0;
  int32_t awaited = 0, awaitedBlocks = 0;
  int32_t ended = 0;
};
static_assert(sizeof(GpuLevelTask) == 128);
inline constexpr size_t kRecordDigits = 24; ///< of an operation that a warp does
inline constexpr size_t kRecordUnits = kRecordOperationUnits + kRecordDigits * kRecordDigitUnits;

/// Mirrors MpfTaskFlags.
inline constexpr int32_t kTaskBarrier = 1, kTaskBlock = 2, kTaskFirst = 4, kTaskNormalises = 8,
                         kTaskTabled = 16, kTaskInOrder = 32, kTaskAwaits = 64, kTaskEnds = 128,
                         kTaskLast = 256, kTaskOnlyInexact = 512;

/// The mapping vectors of a launch plan, each as steps of kLevelWarps tasks: the first ones of all
/// blocks side by side, then the others, which those name (GpuLevelTask::ahead).
struct GpuLevelTable {
  struct Place {
    int32_t firstStep = 0;
    int32_t heads = 1; ///< first steps of each block: 2 where any has more than one
  };
  std::vector<GpuLevelTask> tasks;
  std::vector<Place> places; ///< by mapping vector
  uint64_t partials = 0;     ///< partial sums of one launch, at most
};

/// `normalises`: log results may go back to linear form. Counters: of teams, by operation, then of
/// phases, by the first operation of each: twice as many as operations. Throws
/// Error(MemoryBound) for more steps or partial sums than the kernel counts, Error(Unsupported) for
/// an operation of more digits than a warp has room for.
GpuLevelTable buildGpuLevelTable(const LaunchPlan &plan, const GpuOperationTable &table,
                                 const GpuRecords &records, bool normalises);

/// Bytes of one partial sum: MpfPartial.
uint64_t partialBytes(ElementType type);

} // namespace mpf
