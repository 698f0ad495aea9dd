// The tables of the kernels of slices: lists of moves and resets at the begin of each slice, of
// products to check at its end, and of sums. The structs have the layout of those in
// codegen/emit/preamble/mpf_slices.cuh and mpf_slice_sums.cuh, and are filled from a bundle.
#pragma once

#include "runtime/execute/gpu/slices/slice_steps.h"
#include "runtime/execute/gpu/tables/assumption_table.h"
#include "runtime/execute/gpu/tables/device_run_table.h"
#include "runtime/execute/gpu/tables/gpu_level_table.h"
#include "runtime/execute/host/best_slice.h"
#include "runtime/schedule/launches/linear_assumption.h"
#include "runtime/schedule/slices/replicate_slices.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace mpf {

inline constexpr uint32_t kSliceThreads = 256;   ///< MPF_SLICE_THREADS
inline constexpr uint32_t kEnterThreads = 1024;  ///< MPF_ENTER_THREADS
inline constexpr uint64_t kSumChunkElems = 1024; ///< entries that one block sums

/// Mirrors MpfSliceStride.
struct GpuSliceStride {
  uint64_t elems = 0;
  uint32_t last = 0;           ///< last state of the loop
  int16_t loop = 0, shift = 0; ///< loop, counted from 0; shift in states
  bool operator==(const GpuSliceStride &) const = default;
};
static_assert(sizeof(GpuSliceStride) == 16);

/// Mirrors MpfSliceMove. All addresses are device addresses.
struct GpuSliceMove {
  uint64_t address = 0, signAddress = 0;
  uint64_t table = 0, signs = 0;
  int32_t entryBits = 0;
  int32_t unused = 0;
  int32_t firstStride = 0, strideCount = 0;
};
static_assert(sizeof(GpuSliceMove) == 48);

/// Mirrors MpfSliceReset.
struct GpuSliceReset {
  int32_t state = 0, operation = 0, mustBeLinear = 0;
  int32_t name = 0; ///< ReplicatedBundle::original
  bool operator==(const GpuSliceReset &) const = default;
};
static_assert(sizeof(GpuSliceReset) == 16);

/// Mirrors MpfSliceFaults.
struct GpuSliceFaults {
  int32_t broken = 0;
  int32_t lost = std::numeric_limits<int32_t>::max();
  uint64_t beyond = 0;
};
static_assert(sizeof(GpuSliceFaults) == 16);

/// Mirrors MpfSliceLoop.
struct GpuSliceLoop {
  int32_t loop = 0, extent = 1; ///< loop counted from 0; number of its states
  int32_t firstMove = 0, moveCount = 0;
  int32_t firstReset = 0, resetCount = 0;
  int32_t firstProduct = 0, productCount = 0;
  int32_t slices = 1; ///< slices of a pass
  int32_t unused = 0;
};
static_assert(sizeof(GpuSliceLoop) == 40);

/// Returns the threads of the block that enters the loop's slices: enough for its longest list, up
/// to a whole block.
inline uint32_t enterThreads(const GpuSliceLoop &loop) {
  const auto most =
      static_cast<uint32_t>(std::max({loop.moveCount, loop.resetCount, loop.productCount}));
  return std::clamp((most + 31) / 32 * 32, kSliceThreads, kEnterThreads);
}

/// Mirrors MpfEnterLaunch.
struct GpuEnterLaunch {
  uint64_t loops = 0, moves = 0, strides = 0, resets = 0, products = 0, operands = 0, states = 0,
           initialStates = 0, finished = 0, faults = 0;
  GpuSliceLoop loop;
  int32_t lostExponent = std::numeric_limits<int32_t>::max();
  int32_t operationCount = 0;
};
static_assert(sizeof(GpuEnterLaunch) == 128);

/// Bits of GpuSumTask::kind: MPF_SUM_..
inline constexpr int32_t kSumMax = 1, kSumMin = 2, kSumPlain = 4, kSumForcedLog = 8,
                         kSumNotesBest = 16;

/// Mirrors MpfSumSlice.
struct GpuSumSlice {
  uint64_t entries = 0, signs = 0;
  int32_t state = 0, firstSource = 0;
};
static_assert(sizeof(GpuSumSlice) == 24);

/// Mirrors MpfSumTask.
struct GpuSumTask {
  uint64_t sum = 0, sumSigns = 0;
  uint64_t elems = 0;
  int32_t sumState = 0;
  int32_t kind = 0, operation = 0; ///< ReplicatedBundle::original
  int32_t chunkCount = 0;
  int32_t firstSlice = 0, sliceCount = 0;
  int32_t bestRow = 0, sourceCount = 0;
  int32_t unused[2] = {0, 0};
};
static_assert(sizeof(GpuSumTask) == 64);

/// Mirrors MpfSumRange, with its contents between launches.
struct GpuSumRange {
  int32_t least = std::numeric_limits<int32_t>::max();
  int32_t greatest = std::numeric_limits<int32_t>::min();
  uint32_t finished = 0;
  uint32_t unused = 0;
};
static_assert(sizeof(GpuSumRange) == 16);

/// Mirrors MpfBestSource.
struct GpuBestSource {
  int32_t row = 0, decided = 0; ///< row of SliceRows; loop, counted from 0
};

/// Mirrors MpfSumLaunch.
struct GpuSumLaunch {
  uint64_t chunks = 0, tasks = 0, slices = 0, ranges = 0, states = 0, loops = 0, best = 0,
           sources = 0, faults = 0;
  int32_t loop = 0, loopCount = 0;
  int32_t extent = 1, unused = 0;
};
static_assert(sizeof(GpuSumLaunch) == 88);

/// The rows of the recorded best slices (BestSlice::noted). A loop has a row for each replica of
/// the loops around it. The first row of each loop, whose replica has no shifts, is the one that
/// counts outside of all loops.
class SliceRows {
public:
  explicit SliceRows(const ReplicatedBundle &program);

  uint32_t count() const { return first_.back(); }
  /// Returns the row of the replica of the loop (counted from 1) with these shifts. Shifts of loops
  /// that are not around this loop do not matter.
  uint32_t rowOf(uint32_t loop, const SliceStates &shifts) const;

private:
  const ReplicatedBundle &program_;
  std::vector<uint32_t> first_; ///< first row of each loop, and the end
};

/// Mirrors MpfStepLaunch.
struct GpuStepLaunch {
  GpuSumLaunch add;
  GpuEnterLaunch enter;
  uint64_t arrived = 0;
};
static_assert(sizeof(GpuStepLaunch) == 224);

struct SliceTables {
  std::vector<GpuSliceMove> moves;
  std::vector<GpuSliceStride> strides;
  std::vector<GpuSliceReset> resets;
  AssumedProducts assumed;
  std::vector<GpuSliceLoop> loops;
  std::vector<GpuSumTask> sums;    ///< sums of all groups
  std::vector<GpuSumSlice> slices; ///< sum by sum
  std::vector<GpuChunk> chunks;    ///< group by group
  std::vector<GpuBestSource> sources;
  struct Group {
    uint32_t firstChunk = 0, chunkCount = 0;
  };
  std::vector<Group> groups; ///< by index in SliceSteps::sums
};

/// The places of the objects that the tables refer to.
struct SlicePlaces {
  const DeviceBuffers &buffers;
  ArenaPlaces arenas;
  uint64_t records = 0; ///< device address of the level kernel's records
  const GpuRecords &recordTable;
};

/// Builds the tables. `runs`: one flag per operation; the results of the others do not change.
/// `assumption`: the assumption that is checked for each slice.
SliceTables buildSliceTables(const ReplicatedBundle &program, const SlicePlaces &places,
                             const std::vector<char> &runs, const LinearAssumption &assumption,
                             const std::vector<SliceSumGroup> &groups);

} // namespace mpf
