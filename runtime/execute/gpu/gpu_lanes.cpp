#include "runtime/execute/gpu/gpu_lanes.h"

#include "runtime/compile/kernel_store.h"
#include "runtime/compile/nvrtc_compiler.h"
#include "runtime/execute/lanes/lane_launch.h"

#include <algorithm>
#include <limits>

namespace mpf {

GpuLanes::GpuLanes(const LaneProgram &program, const CommonTables &common, const LinearPlan &plan,
                   LaneKernel kernel, ElementType type, const GpuOptions &options)
    : program_(program), plan_(plan), kernel_(std::move(kernel)), type_(type),
      device_(options.ordinal) {
  KernelStore store(openNvrtcCompiler, options.kernels);
  const std::vector<CompiledKernel> compiled =
      store.compileAll({{kernel_.name, kernel_.source, device_.properties().arch}});
  module_ = std::make_unique<CudaModule>(device_, compiled[0].cubin, false);
  if (type == ElementType::F32)
    uploadImage<float>(common);
  else
    uploadImage<double>(common);
}

std::string GpuLanes::deviceName() const {
  return fmt::format("gpu ({}, {})", device_.properties().name, device_.properties().arch);
}

uint64_t GpuLanes::allocatedBytes() const {
  return image_.sizeBytes() + codes_.sizeBytes() + weights_.sizeBytes() + results_.sizeBytes() +
         exponents_.sizeBytes() + states_.sizeBytes();
}

template <class T> void GpuLanes::uploadImage(const CommonTables &common) {
  const std::vector<T> image = laneImage<T>(kernel_, plan_, common);
  image_ = DeviceMemory(device_, std::max<uint64_t>(image.size() * sizeof(T), 16));
  image_.upload(image.data(), image.size() * sizeof(T));
  device_.synchronize();
}

uint64_t GpuLanes::fittingBlocks(uint64_t blocks, uint64_t blockBytes, uint64_t blockCases,
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

void GpuLanes::reserve(uint32_t cases) {
  if (cases <= pitch_)
    return;
  constexpr uint64_t kStep = 256; // whole sectors for every row of words
  const uint64_t pitch = (uint64_t{cases} + kStep - 1) / kStep * kStep;
  if (pitch > static_cast<uint64_t>(std::numeric_limits<int>::max()))
    fail(ErrorKind::MemoryBound, "a block of {} cases is more than a launch numbers", cases);
  pitch_ = 0; // until all of the memory is there: a smaller block may come after a refusal
  for (DeviceMemory *memory : {&codes_, &weights_, &results_, &exponents_, &states_})
    *memory = DeviceMemory(); // before the larger one is asked for
  const auto bytes = [pitch](uint64_t rows, uint64_t each) {
    return std::max<uint64_t>(rows * pitch * each, 16);
  };
  codes_ = DeviceMemory(device_, bytes(kernel_.wordCount(), sizeof(uint32_t)));
  weights_ = DeviceMemory(device_, bytes(program_.schema.weightCount(), elementBytes(type_)));
  results_ = DeviceMemory(device_, bytes(kernel_.resultElems, elementBytes(type_)));
  exponents_ = DeviceMemory(device_, bytes(kernel_.exponentOutputs.size(), sizeof(int32_t)));
  const bool decodes = traitsOf(program_.kind).decoding.has_value();
  states_ = DeviceMemory(device_, bytes(decodes ? program_.variables.size() : 0, 4));
  pitch_ = pitch;
}

template <class T> void GpuLanes::uploadWeights(const CaseBlock &block) {
  const std::vector<T> weights = laneWeights<T>(program_.schema, block, pitch_);
  weights_.upload(weights.data(), weights.size() * sizeof(T));
  device_.synchronize();
}

void GpuLanes::upload(const CaseBlock &block) {
  count_ = 0; // nothing to launch, should the device refuse
  reserve(block.count);
  packLaneCodes(kernel_, block, pitch_, words_);
  codes_.upload(words_.data(), words_.size() * sizeof(uint32_t));
  if (program_.schema.weightCount() != 0) {
    if (type_ == ElementType::F32)
      uploadWeights<float>(block);
    else
      uploadWeights<double>(block);
  }
  device_.synchronize(); // words_ is used again
  count_ = block.count;
}

template <class T> void GpuLanes::read(CaseAnswers &answers, std::vector<uint32_t> &left) {
  std::vector<T> results(kernel_.resultElems * pitch_);
  std::vector<int32_t> exponents(kernel_.exponentOutputs.size() * pitch_);
  std::vector<uint32_t> states(answers.variables * pitch_);
  results_.download(results.data(), results.size() * sizeof(T));
  exponents_.download(exponents.data(), exponents.size() * sizeof(int32_t));
  states_.download(states.data(), states.size() * sizeof(uint32_t));
  device_.synchronize();
  readLaneResults<T>(program_, plan_, kernel_,
                     {pitch_, results.data(), exponents.data(), states.data()}, answers, left);
}

void GpuLanes::fetch(CaseAnswers &answers, std::vector<uint32_t> &left) {
  if (type_ == ElementType::F32)
    read<float>(answers, left);
  else
    read<double>(answers, left);
}

void GpuLanes::run(const CaseBlock &block, CaseAnswers &answers, std::vector<uint32_t> &left) {
  upload(block);
  launch();
  fetch(answers, left);
}

} // namespace mpf
