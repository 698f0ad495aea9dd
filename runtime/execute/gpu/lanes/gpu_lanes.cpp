#include "runtime/execute/gpu/lanes/gpu_lanes.h"

#include <fmt/format.h>
#include <utility>

namespace mpf {

GpuLanes::GpuLanes(std::unique_ptr<const CudaDevice> device, std::unique_ptr<LaneLauncher> launcher,
                   const GpuOptions &options)
    : device_(std::move(device)), launcher_(std::move(launcher)),
      packing_(*launcher_, options.pool), whole_(*launcher_, packing_),
      parts_(*launcher_, packing_, options.kernels), arrays_(*launcher_, options.kernels) {}

std::string GpuLanes::deviceName() const {
  return fmt::format("gpu ({}, {})", device_->properties().name, device_->properties().arch);
}

void GpuLanes::run(const CaseBlock &block, CaseAnswers &answers, std::vector<uint32_t> &left) {
  const LanePacking::Caller caller(packing_);
  device_->makeCurrent();
  if (!parts_.takesParts(block) || !parts_.run(block, answers, left))
    whole_.run(block, answers, left);
}

} // namespace mpf
