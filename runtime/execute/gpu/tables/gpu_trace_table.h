// The steps of a traceback in the form that the device reads. The structs have the layout of those
// in codegen/emit/preamble/mpf_traceback.cuh and are filled from a bundle.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/execute/gpu/tables/device_buffers.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

/// Mirrors MpfTraceTerm.
struct GpuTraceTerm {
  uint64_t strideElems = 0;
  /// The number of the variable. Negative for an open variable (open_variables.h): minus its number
  /// of states.
  int32_t variable = 0;
  uint32_t faster = 0; ///< for an open variable: joint states of the faster ones
};
static_assert(sizeof(GpuTraceTerm) == 16);

/// Mirrors MpfTracePart.
struct GpuStepTable {
  uint64_t table = 0; ///< device address
  uint64_t ownStrideElems = 0;
  int32_t state = 0;
  int32_t firstTerm = 0;
  int32_t termCount = 0;
  int32_t unused = 0;
};
static_assert(sizeof(GpuStepTable) == 32);

/// Mirrors MpfTraceStep.
struct GpuTraceStep {
  int32_t variable = 0;
  uint32_t extent = 1;
  int32_t firstPart = 0;
  int32_t partCount = 0;
  int32_t firstTerm = 0; ///< first term of all its parts
  int32_t termCount = 0;
  uint32_t openStates = 1; ///< joint states of the open variables
  int32_t staged = 0;      ///< stageTogether
};
static_assert(sizeof(GpuTraceStep) == 32);

struct GpuTraceTable {
  std::vector<GpuTraceStep> steps; ///< one per Bundle::traceback, same order
  std::vector<GpuStepTable> parts;
  std::vector<GpuTraceTerm> terms; ///< none for variables of extent 1
};

/// Builds the table. `inputArena` and `workArena` are device addresses of the two arenas. State
/// indices are buffer ids.
GpuTraceTable buildGpuTraceTable(const Bundle &bundle, const DeviceBuffers &buffers,
                                 uint64_t inputArena, uint64_t workArena);

/// Sets `staged` of steps from one table, in its order. A block fetches as many steps at once as
/// its shared memory has room for (kStagedTraceSteps), and the first of them has their number. A
/// step that does not fit alone is read from global memory.
void stageTogether(std::span<GpuTraceStep> steps);

/// Values that the device may write instead of a variable's state: MPF_TRACE_NONE,
/// MPF_TRACE_UNKNOWN.
inline constexpr uint32_t kTraceNone = UINT32_MAX, kTraceUnknown = UINT32_MAX - 1;

/// Converts the device's `states` to assignments of `variables` states each. An assignment is empty
/// if a row was all zero. Throws Error(Internal) if the kernel does not know the decoding.
std::vector<std::vector<uint32_t>> assignmentsFromDevice(std::span<const uint32_t> states,
                                                         size_t variables, Decoding decoding);

} // namespace mpf
