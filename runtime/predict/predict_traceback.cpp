#include "runtime/predict/predict_traceback.h"

namespace mpf {

TraceSpeed traceSpeed(StepDevice device, const GpuSpeed &gpu) {
  return device == StepDevice::Cpu ? cpuTraceSpeed() : gpuTraceSpeed(gpu);
}

double tracebackUs(const Bundle &bundle, StepDevice device, const GpuSpeed &gpu) {
  return traceSpeed(device, gpu).timeUs(bundle.traceback.size());
}

} // namespace mpf
