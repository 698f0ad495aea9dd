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
  int32_t variable = 0; ///< negative: an open one (open_variables.h), of so many states
  uint32_t faster = 0;  ///< of an open one: joint states of those that change before it
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
  int32_t firstTerm = 0; ///< of all its parts
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

/// `inputArena` and `workArena` are device addresses of the two arenas. State indices are buffer
/// ids.
GpuTraceTable buildGpuTraceTable(const Bundle &bundle, const DeviceBuffers &buffers,
                                 uint64_t inputArena, uint64_t workArena);

/// Sets `staged` of steps that were taken from one table, in its order: a block fetches as many of
/// them at once as its shared memory has room for (kStagedTraceSteps), and the first of these has
/// their number. A step that has no room alone is read where it is.
void stageTogether(std::span<GpuTraceStep> steps);

/// What the device may write instead of a variable's state: MPF_TRACE_NONE, MPF_TRACE_UNKNOWN.
inline constexpr uint32_t kTraceNone = UINT32_MAX, kTraceUnknown = UINT32_MAX - 1;

/// The assignments that `states`, as the device wrote them, stand for, of that many variables each:
/// without states where a row was all zero. Throws Error(Internal) if the kernel does not know the
/// decoding.
std::vector<std::vector<uint32_t>> assignmentsFromDevice(std::span<const uint32_t> states,
                                                         size_t variables, Decoding decoding);

} // namespace mpf
