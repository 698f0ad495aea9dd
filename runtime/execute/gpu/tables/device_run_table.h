// The tables of kernels that read inputs from a host program's device memory and write results
// there. The structs have the layout of those in codegen/emit/preamble/mpf_table_map.cuh,
// mpf_bind_input.cuh and mpf_read_output.cuh, and are filled from a bundle.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/execute/gpu/tables/device_buffers.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

inline constexpr uint32_t kMapThreads = 256;   ///< MPF_MAP_THREADS
inline constexpr uint64_t kChunkElems = 4096;  ///< entries that one block maps
inline constexpr size_t kMaxBindSources = 128; ///< MPF_BIND_SOURCES
inline constexpr uint64_t kBindRangeBytes = 8; ///< size of MpfBindRange
inline constexpr uint64_t kReadSumBytes = 16;  ///< size of MpfReadSum

/// Bits of GpuBindLaunch::kind: MPF_BIND_..
inline constexpr int kBindLogs = 1, kBindPlain = 2, kBindNegative = 4, kBindForcedLog = 8;
int bindKind(const Bundle &bundle);

/// Mirrors MpfMapDigit.
struct GpuMapDigit {
  uint64_t extent = 1;
  uint64_t strideElems = 0;
  bool operator==(const GpuMapDigit &) const = default;
};
static_assert(sizeof(GpuMapDigit) == 16);

/// Mirrors MpfChunk.
struct GpuChunk {
  int32_t task = 0;
  int32_t unused = 0;
  uint64_t first = 0, end = 0; ///< entries
};
static_assert(sizeof(GpuChunk) == 24);

/// Mirrors MpfBindTask.
struct GpuBindTask {
  uint64_t table = 0, signs = 0; ///< device addresses; 0: no signs are kept
  int32_t state = 0;
  int32_t firstDigit = 0;
  int32_t digitCount = 0;
  int32_t unused = 0;
};
static_assert(sizeof(GpuBindTask) == 32);

/// Mirrors MpfBindSource.
struct GpuBindSource {
  uint64_t values = 0; ///< device address
  uint64_t baseElems = 0;
};

/// Mirrors MpfBindLaunch.
struct GpuBindLaunch {
  uint64_t chunks = 0, tasks = 0, digits = 0, states = 0, ranges = 0, refused = 0;
  int32_t firstTask = 0;
  int32_t kind = 0;
  int32_t exponent = 0;
  int32_t greatest = 0;
  GpuBindSource sources[kMaxBindSources];
};
static_assert(sizeof(GpuBindLaunch) == 64 + 16 * kMaxBindSources);

/// Mirrors MpfReadTask.
struct GpuReadTask {
  uint64_t table = 0, signs = 0; ///< device addresses; 0: no signs are kept
  uint64_t firstResult = 0;
  int32_t state = 0;
  int32_t isPosterior = 0;
  int32_t firstDigit = 0, digitCount = 0;
  int32_t firstChunk = 0, chunkCount = 0;
};
static_assert(sizeof(GpuReadTask) == 48);

/// Mirrors MpfReadLaunch.
struct GpuReadLaunch {
  uint64_t chunks = 0, tasks = 0, digits = 0, states = 0, chunkSums = 0, sums = 0, finished = 0,
           zeros = 0, refused = 0, results = 0, exponents = 0;
  int32_t taskCount = 0;
  int32_t isPlain = 0;
  int32_t exponent = 0;
  int32_t unused = 0;
};
static_assert(sizeof(GpuReadLaunch) == 104);

/// Tables that one kind of kernel maps. The chunks of a task are adjacent and ordered.
template <class Task> struct GpuMapTable {
  std::vector<Task> tasks;
  std::vector<GpuMapDigit> digits;
  std::vector<GpuChunk> chunks;
};

/// Device addresses of the two arenas.
struct ArenaPlaces {
  uint64_t inputs = 0, work = 0;
};

/// Returns one task for each of `inputs`, indices into Bundle::inputs; none is raw or packed. State
/// indices are buffer ids.
GpuMapTable<GpuBindTask> buildBindTable(const Bundle &bundle, const DeviceBuffers &buffers,
                                        std::span<const uint32_t> inputs,
                                        const ArenaPlaces &arenas);

/// Returns one task for each of Bundle::outputs; their results are concatenated.
GpuMapTable<GpuReadTask> buildReadTable(const Bundle &bundle, const DeviceBuffers &buffers,
                                        const ArenaPlaces &arenas);

} // namespace mpf
