#include "runtime/execute/gpu/lanes/lane_launcher.h"

#include "dsl/support/error.h"
#include "runtime/execute/gpu/compiled_module.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

LaneCaseSize caseSizeOf(const LaneProgram &program, const LaneKernel &kernel, ElementType type) {
  LaneCaseSize size;
  size.codeBytes = kernel.wordCount() * sizeof(uint32_t);
  size.weightBytes = program.schema.weightCount() * elementBytes(type);
  size.resultBytes = kernel.resultElems * elementBytes(type);
  size.exponentBytes = kernel.exponentOutputs.size() * sizeof(int32_t);
  if (traitsOf(program.kind).decoding)
    size.stateBytes = program.variables.size() * sizeof(uint32_t);
  return size;
}

} // namespace

LaneLauncher::LaneLauncher(const CudaDevice &device, const LaneProgram &program,
                           const CommonTables &common, const LinearPlan &plan, LaneKernel kernel,
                           ElementType type, const KernelStoreOptions &kernels)
    : device_(device), program_(program), plan_(plan), kernel_(std::move(kernel)), type_(type),
      caseSize_(caseSizeOf(program, kernel_, type)), kernels_(kernels) {
  if (type == ElementType::F32)
    uploadImage<float>(common);
  else
    uploadImage<double>(common);
}

CudaKernel LaneLauncher::function(const std::string &name, uint32_t sharedBytes) {
  if (module_ == nullptr)
    module_ = compiledModule(device_, kernels_, kernel_.name, kernel_.source, false);
  return module_->function(name, sharedBytes);
}

template <class T> void LaneLauncher::uploadImage(const CommonTables &common) {
  const std::vector<T> image = laneImage<T>(kernel_, plan_, common);
  image_ = DeviceMemory(device_, std::max<uint64_t>(image.size() * sizeof(T), 16));
  image_.upload(image.data(), image.size() * sizeof(T));
  device_.synchronize();
}

uint64_t LaneLauncher::fittingBlocks(uint64_t blocks, uint64_t blockBytes, uint64_t blockCases,
                                     uint64_t heldBytes) const {
  if (blockBytes == 0)
    return blocks;
  const uint64_t free = device_.freeBytes() + heldBytes;
  const uint64_t fitting = free / 10 * 9 / blockBytes;
  if (fitting == 0)
    fail(ErrorKind::MemoryBound,
         "query {}: the messages of {} cases take {} bytes, the GPU has {} left", program_.name,
         blockCases, blockBytes, free);
  return std::min(blocks, fitting);
}

void LaneLauncher::launch(const LanePointers &cases, CudaStreamHandle stream) {
  const bool isOneStream = !copiesOverlap(device_);
  if (!sharesMemory() || isOneStream)
    return launchAlone(cases, stream);
  const std::lock_guard lock(launching_);
  if (sharing_ == nullptr)
    sharing_ = std::make_unique<StreamMark>(device_);
  sharing_->await(stream, false);
  launchAlone(cases, stream);
  sharing_->set(stream);
}

void LaneLauncher::launchRows(const GpuLaneRows &, const LanePointers &, CudaStreamHandle) {
  fail(ErrorKind::Internal, "kernel {} reads no rows", kernel_.name);
}

} // namespace mpf
