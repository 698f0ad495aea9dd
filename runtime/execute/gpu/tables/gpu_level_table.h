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
  /// Replaces an operation, whose digits stay.
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
  GpuAddressParts outputParts, termParts; ///< all 0 without kTaskTabled
  int32_t ahead = 0;
  int32_t awaited = 0, awaitedBlocks = 0;
  int32_t ended = 0;
};
static_assert(sizeof(GpuLevelTask) == 128);
inline constexpr size_t kRecordDigits = 24; ///< digits of an operation that a warp computes
inline constexpr size_t kRecordUnits = kRecordOperationUnits + kRecordDigits * kRecordDigitUnits;

/// Mirrors MpfTaskFlags.
inline constexpr int32_t kTaskBarrier = 1, kTaskBlock = 2, kTaskFirst = 4, kTaskNormalises = 8,
                         kTaskTabled = 16, kTaskInOrder = 32, kTaskAwaits = 64, kTaskEnds = 128,
                         kTaskLast = 256, kTaskOnlyInexact = 512;

/// The mapping vectors of a launch plan, each as steps of kLevelWarps tasks. The first steps of all
/// blocks are adjacent. The others follow, and earlier steps name their places
/// (GpuLevelTask::ahead).
struct GpuLevelTable {
  struct Place {
    int32_t firstStep = 0;
    int32_t heads = 1; ///< first steps of each block: 2 if any block has more than one
  };
  std::vector<GpuLevelTask> tasks;
  std::vector<Place> places; ///< by mapping vector
  uint64_t partials = 0;     ///< most partial sums of one launch
};

/// Builds the table. `normalises`: log results may return to linear form. There are twice as many
/// counters as operations: those of teams by operation, then those of phases by the first operation
/// of each. Throws Error(MemoryBound) for more steps or partial sums than the kernel counts. Throws
/// Error(Unsupported) for an operation of more digits than a warp has room for.
GpuLevelTable buildGpuLevelTable(const LaunchPlan &plan, const GpuOperationTable &table,
                                 const GpuRecords &records, bool normalises);

/// Returns the bytes of one partial sum: MpfPartial.
uint64_t partialBytes(ElementType type);

} // namespace mpf
