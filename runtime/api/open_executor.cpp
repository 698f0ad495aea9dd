#include "runtime/api/open_executor.h"

#include "runtime/execute/cpu_executor.h"

namespace mpf {

OpenedExecutor openExecutor(const Bundle &bundle, const SessionOptions &options) {
  if (options.device == "cpu" || options.device == "auto")
    return {makeCpuExecutor(bundle, {options.threads}), StepDevice::Cpu};
  if (options.device == "gpu")
    fail(ErrorKind::Device, "this build has no GPU executor; --device cpu runs everywhere");
  fail(ErrorKind::Usage, "unknown device '{}': auto, cpu or gpu", options.device);
}

} // namespace mpf
