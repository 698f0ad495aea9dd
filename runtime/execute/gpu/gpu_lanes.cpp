#include "runtime/execute/gpu/gpu_lanes.h"

#include "runtime/compile/kernel_store.h"
#include "runtime/compile/nvrtc_compiler.h"
#include "runtime/execute/lanes/lane_launch.h"

#include <algorithm>
#include <limits>

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

GpuLanes::GpuLanes(const LaneProgram &program, const CommonTables &common, const LinearPlan &plan,
                   LaneKernel kernel, ElementType type, const GpuOptions &options)
    : program_(program), plan_(plan), kernel_(std::move(kernel)), type_(type),
      device_(options.ordinal), caseSize_(caseSizeOf(program, kernel_, type)),
      partCases_(copiesOverlap(device_) ? laneSlotCases(caseSize_) : 0) {
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
  uint64_t bytes = image_.sizeBytes() + whole_.sizeBytes();
  for (const std::unique_ptr<LaneSlot> &slot : slots_)
    bytes += slot->cases.sizeBytes();
  return bytes;
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
  if (cases <= whole_.pitch)
    return;
  constexpr uint64_t kStep = 256; // whole sectors for every row of words
  const uint64_t pitch = (uint64_t{cases} + kStep - 1) / kStep * kStep;
  if (pitch > static_cast<uint64_t>(std::numeric_limits<int>::max()))
    fail(ErrorKind::MemoryBound, "a block of {} cases is more than a launch numbers", cases);
  whole_.reserve(device_, caseSize_, pitch);
}

template <class T> void GpuLanes::uploadWeights(const CaseBlock &block) {
  const std::vector<T> weights = laneWeights<T>(program_.schema, block, whole_.pitch);
  whole_.weights.upload(weights.data(), weights.size() * sizeof(T));
  device_.synchronize();
}

void GpuLanes::upload(const CaseBlock &block) {
  whole_.count = now_.count = 0; // nothing to launch, should the device refuse
  reserve(block.count);
  packLaneCodes(kernel_, block, whole_.pitch, words_);
  whole_.codes.upload(words_.data(), words_.size() * sizeof(uint32_t));
  if (program_.schema.weightCount() != 0) {
    if (type_ == ElementType::F32)
      uploadWeights<float>(block);
    else
      uploadWeights<double>(block);
  }
  device_.synchronize(); // words_ is used again
  whole_.count = block.count;
  now_ = whole_.pointers();
}

template <class T> void GpuLanes::read(CaseAnswers &answers, std::vector<uint32_t> &left) {
  std::vector<T> results(kernel_.resultElems * whole_.pitch);
  std::vector<int32_t> exponents(kernel_.exponentOutputs.size() * whole_.pitch);
  std::vector<uint32_t> states(answers.variables * whole_.pitch);
  whole_.results.download(results.data(), results.size() * sizeof(T));
  whole_.exponents.download(exponents.data(), exponents.size() * sizeof(int32_t));
  whole_.states.download(states.data(), states.size() * sizeof(uint32_t));
  device_.synchronize();
  readLaneResults<T>(program_, plan_, kernel_,
                     {whole_.pitch, results.data(), exponents.data(), states.data()}, answers,
                     left);
}

void GpuLanes::fetch(CaseAnswers &answers, std::vector<uint32_t> &left) {
  if (type_ == ElementType::F32)
    read<float>(answers, left);
  else
    read<double>(answers, left);
}

void GpuLanes::run(const CaseBlock &block, CaseAnswers &answers, std::vector<uint32_t> &left) {
  if (takesParts(block))
    return runParts(block, answers, left);
  upload(block);
  launch();
  fetch(answers, left);
}

} // namespace mpf
