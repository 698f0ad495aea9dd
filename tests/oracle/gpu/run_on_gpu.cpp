#include "tests/oracle/gpu/run_on_gpu.h"

#include "codegen/bundle/verify_bundle.h"
#include "runtime/execute/gpu/cuda_device.h"
#include "runtime/schedule/build_schedule.h"
#include "tests/oracle/bind_observed.h"

namespace mpf::oracle {

std::unique_ptr<Executor> runOnGpu(const Bundle &bundle, size_t verifySamples, bool profile,
                                   const GpuOptions &options, unsigned runs) {
  // Keeps the primary context: opening one for each of some thousand runs takes 0.3 s each.
  static const CudaDevice kDevice;
  verifyBundle(bundle);
  std::unique_ptr<Executor> executor = makeGpuExecutor(bundle, options);
  bindObserved(bundle, *executor);
  Schedule schedule = buildSchedule(bundle, DeviceId::gpu(0));
  std::erase_if(schedule.steps,
                [](const ScheduleStep &step) { return step.copiesFrom(DeviceId::gpu(0)); });
  for (uint32_t i = 0; i < bundle.buffers.size(); ++i)
    if (!bundle.buffers[i].input)
      schedule.steps.push_back({StepKind::Copy, DeviceId::gpu(0), i});
  for (unsigned i = 0; i < runs; ++i)
    executor->run(schedule.steps, {profile, verifySamples, {}});
  return executor;
}

} // namespace mpf::oracle
