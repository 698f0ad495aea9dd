#include "runtime/execute/gpu/runs/gpu_kernels.h"

#include "runtime/compile/nvrtc_compiler.h"
#include "runtime/execute/gpu/start_times.h"
#include "runtime/schedule/launches/build_launch_plan.h"

#include <string>
#include <utility>

namespace mpf {

bool deviceLeads(const Bundle &bundle) {
  return !bundle.sliced.empty() && NvrtcCompiler::available();
}

GpuKernels::GpuKernels(const CudaDevice &device, const ReplicatedBundle &program,
                       KernelStore &store, const GpuStates &states) {
  const Bundle &bundle = program.bundle;
  const std::string &arch = device.properties().arch;
  std::vector<std::string> images(bundle.kernels.size());
  std::vector<CompileRequest> requests;
  std::vector<size_t> slots;
  for (size_t i = 0; i < images.size(); ++i) {
    const BundleKernel &kernel = bundle.kernels[i];
    for (const BundleCubin &cubin : kernel.cubins)
      if (cubin.arch == arch)
        images[i] = cubin.contents;
    if (images[i].empty()) {
      requests.push_back({kernel.name, kernel.source, arch});
      slots.push_back(i);
    }
  }
  const bool leads = deviceLeads(bundle);
  if (leads)
    requests.push_back({sliceKernelName(bundle.type), sliceKernelSource(bundle.type), arch});
  waits_ = waitingKernels(bundle); // a user's replacement may not wait
  const std::vector<CompiledKernel> compiled = [&] {
    const StartTimer timer(StartPart::Compile);
    return store.compileAll(requests);
  }();
  for (size_t i = 0; i < slots.size(); ++i) {
    images[slots[i]] = compiled[i].cubin;
    waits_[slots[i]] &= compiled[i].source == bundle.kernels[slots[i]].source;
  }
  if (leads)
    slices_.emplace(
        device, program, compiled.back(),
        SliceKernels::Places{states.address(), states.initialAddress(), states.counters()});
  modules_.emplace(device, bundle, std::move(images), waits_);
}

} // namespace mpf
