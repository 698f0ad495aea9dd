#include "runtime/predict/predict_traceback.h"

#include <variant>

namespace mpf {

TraceSpeed traceSpeed(const Device &device) {
  const auto *gpu = std::get_if<GpuSpeed>(&device.speed);
  return gpu == nullptr ? cpuTraceSpeed() : gpuTraceSpeed(*gpu);
}

double cpuTracebackUs(const Bundle &bundle) {
  return cpuTraceSpeed().timeUs(bundle.traceback.size());
}

double gpuTracebackUs(const Bundle &bundle, const GpuSpeed &gpu) {
  return gpuTraceSpeed(gpu).timeUs(bundle.traceback.size());
}

} // namespace mpf
