#include "codegen/machine/trace_speed.h"

namespace mpf {

namespace {

/// Measured on whole networks (tools/mpf-bench/results/2026-11-28-tracebacks.md).
constexpr double kHostStepUs = 0.4;
/// Time of a step of a traceback over that of a step of a launch: a block loads entries one after
/// the other and takes their logarithms. On an H200: 2.2 us over 1.65
/// (results/2026-11-28-joined-best.md).
constexpr double kGpuStepFactor = 4.0 / 3;

} // namespace

TraceSpeed cpuTraceSpeed() { return {kHostStepUs, 0}; }

TraceSpeed gpuTraceSpeed(const GpuSpeed &gpu) {
  return {kGpuStepFactor * gpu.stepUs, gpu.superstepUs + gpu.uploadUs + gpu.downloadUs};
}

} // namespace mpf
