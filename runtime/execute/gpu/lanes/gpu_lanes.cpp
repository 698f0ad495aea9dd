#include "runtime/execute/gpu/lanes/gpu_lanes.h"

#include "dsl/support/check.h"
#include "runtime/execute/gpu/compiled_module.h"
#include "runtime/execute/lanes/sent/part_size.h"
#include "runtime/execute/threads/thread_pool.h"

#include <algorithm>
#include <limits>
#include <mutex>

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

/// Returns `rows` moved to a case; null if the program has no such rows.
template <class T> const T *behind(const T *rows, uint64_t place) {
  return rows == nullptr ? nullptr : rows + place;
}

} // namespace

GpuLanes::GpuLanes(const LaneProgram &program, const CommonTables &common, const LinearPlan &plan,
                   LaneKernel kernel, ElementType type, const GpuOptions &options)
    : program_(program), plan_(plan), kernel_(std::move(kernel)), type_(type),
      device_(options.ordinal), caseSize_(caseSizeOf(program, kernel_, type)),
      kernelOptions_(options.kernels), pool_(options.pool),
      partCases_(copiesOverlap(device_) ? partCases(static_cast<double>(caseSize_.sum())) : 0),
      parts_(device_) {
  module_ = compiledModule(device_, options.kernels, kernel_.name, kernel_.source, false);
  if (type == ElementType::F32)
    uploadImage<float>(common);
  else
    uploadImage<double>(common);
}

std::string GpuLanes::deviceName() const {
  return fmt::format("gpu ({}, {})", device_.properties().name, device_.properties().arch);
}

uint64_t GpuLanes::allocatedBytes() const {
  return image_.sizeBytes() + whole_.sizeBytes() + parts_.deviceBytes();
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
  constexpr uint64_t kStep = 256; // rows of words consist of whole sectors
  const uint64_t pitch = (uint64_t{cases} + kStep - 1) / kStep * kStep;
  if (pitch > static_cast<uint64_t>(std::numeric_limits<int>::max()))
    fail(ErrorKind::MemoryBound, "a block of {} cases is more than a launch numbers", cases);
  whole_.reserve(device_, caseSize_, pitch);
}

void GpuLanes::forRanges(const CaseRange &cases, ThreadPool *pool,
                         const std::function<void(const CaseRange &, uint64_t place)> &work) {
  constexpr uint64_t kPlaces = 4096; // large enough that handing out ranges costs nothing
  const auto runRange = [&](size_t number, size_t) {
    const uint64_t place = number * kPlaces;
    const uint64_t room = std::min(kPlaces, cases.room - place);
    const uint64_t count = cases.count > place ? std::min<uint64_t>(room, cases.count - place) : 0;
    work({static_cast<uint32_t>(cases.first + place), static_cast<uint32_t>(count), room}, place);
  };
  const size_t ranges = (cases.room + kPlaces - 1) / kPlaces;
  if (pool != nullptr && ranges > 1)
    return pool->run(ranges, runRange);
  for (size_t number = 0; number < ranges; ++number)
    runRange(number, 0);
}

/// Returns null if there are several callers. Each then works alone: they keep the cores busy, and
/// none waits for threads of the pool that wait for a core.
ThreadPool *GpuLanes::poolOfCaller() const {
  return callers_.load(std::memory_order_relaxed) <= 1 ? pool_ : nullptr;
}

void GpuLanes::pack(const CaseBlock &block, const CaseRange &cases, uint64_t pitch, uint32_t *words,
                    void *weights, ThreadPool *pool) const {
  forRanges(cases, pool, [&](const CaseRange &range, uint64_t place) {
    packLaneCodes(kernel_, block, range, pitch, words + place);
    if (program_.schema.weightCount() == 0)
      return;
    if (type_ == ElementType::F32)
      packLaneWeights(program_.schema, block, range, pitch, static_cast<float *>(weights) + place);
    else
      packLaneWeights(program_.schema, block, range, pitch, static_cast<double *>(weights) + place);
  });
}

void GpuLanes::readResults(const Fetched &from, const CaseRange &cases, CaseAnswers &answers,
                           std::vector<uint32_t> &left, ThreadPool *pool) const {
  std::mutex mutex;
  const size_t before = left.size();
  const auto readAs = [&]<class T>(const T *results, const CaseRange &range, uint64_t place) {
    std::vector<uint32_t> leftOfRange;
    readLaneResults<T>(program_, plan_, kernel_,
                       {from.pitch, behind(results, place), behind(from.exponents, place),
                        behind(from.states, place)},
                       range, answers, leftOfRange);
    const std::lock_guard lock(mutex);
    left.insert(left.end(), leftOfRange.begin(), leftOfRange.end());
  };
  forRanges(cases, pool, [&](const CaseRange &range, uint64_t place) {
    if (type_ == ElementType::F32)
      readAs(static_cast<const float *>(from.results), range, place);
    else
      readAs(static_cast<const double *>(from.results), range, place);
  });
  std::sort(left.begin() + static_cast<std::ptrdiff_t>(before), left.end());
}

void GpuLanes::upload(const CaseBlock &block) {
  whole_.count = now_.count = 0; // nothing is launched if the device refuses memory
  reserve(block.count);
  std::vector<uint32_t> words(kernel_.wordCount() * whole_.pitch);
  std::vector<std::byte> weights(caseSize_.weightBytes * whole_.pitch);
  pack(block, {0, block.count, whole_.pitch}, whole_.pitch, words.data(), weights.data(),
       poolOfCaller());
  whole_.codes.upload(words.data(), words.size() * sizeof(uint32_t));
  if (!weights.empty())
    whole_.weights.upload(weights.data(), weights.size());
  device_.synchronize();
  whole_.count = block.count;
  now_ = whole_.pointers();
}

void GpuLanes::fetch(CaseAnswers &answers, std::vector<uint32_t> &left) {
  std::vector<std::byte> results(caseSize_.resultBytes * whole_.pitch);
  std::vector<int32_t> exponents(kernel_.exponentOutputs.size() * whole_.pitch);
  std::vector<uint32_t> states(answers.variables * whole_.pitch);
  whole_.results.download(results.data(), results.size());
  whole_.exponents.download(exponents.data(), exponents.size() * sizeof(int32_t));
  whole_.states.download(states.data(), states.size() * sizeof(uint32_t));
  device_.synchronize();
  left.clear();
  readResults({whole_.pitch, results.data(), exponents.data(), states.data()},
              {0, answers.count, answers.count}, answers, left, poolOfCaller());
}

/// Launches on a stream. Launches of several streams run side by side, unless they share memory.
void GpuLanes::launchInTurn(const LanePointers &cases, CudaStreamHandle stream) {
  const bool isAlone = !copiesOverlap(device_); // then all launches are on one stream
  if (!sharesMemory() || isAlone)
    return launch(cases, stream);
  const std::lock_guard lock(launching_);
  if (sharing_ == nullptr)
    sharing_ = std::make_unique<StreamMark>(device_);
  sharing_->await(stream, false);
  launch(cases, stream);
  sharing_->set(stream);
}

void GpuLanes::runWhole(const CaseBlock &block, CaseAnswers &answers, std::vector<uint32_t> &left) {
  const std::lock_guard lock(inWhole_);
  upload(block);
  launchInTurn(now_, device_.stream());
  fetch(answers, left);
}

void GpuLanes::run(const CaseBlock &block, CaseAnswers &answers, std::vector<uint32_t> &left) {
  struct Caller {
    explicit Caller(std::atomic<size_t> &all) : callers(all) { ++callers; }
    ~Caller() { --callers; }
    std::atomic<size_t> &callers;
  };
  const Caller caller(callers_);
  device_.makeCurrent();
  if (!takesParts(block) || !runParts(block, answers, left))
    runWhole(block, answers, left);
}

} // namespace mpf
