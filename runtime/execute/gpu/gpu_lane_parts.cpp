// A large block in parts: copies, kernels and the host's work on successive parts overlap.
//
//   host           pack 0 | pack 1 | read 0, pack 2 | read 1, pack 3 | ...
//   stream of slot 0        0 in      0 out  2 in        2 out
//   stream of slot 1                 1 in        1 out   3 in
//   device's stream             kernel 0    kernel 1   kernel 2
//
// Kernels stay on one stream, for they share the memory of large messages.
#include "dsl/support/error.h"
#include "runtime/execute/gpu/gpu_lanes.h"
#include "runtime/execute/lanes/lane_launch.h"

#include <algorithm>
#include <cstring>

namespace mpf {

namespace {

constexpr size_t kSlots = 2;

/// Codes and weights of the cases from `first` on; `part` has room for them.
void takeCases(const CaseBlock &block, uint32_t first, CaseBlock &part) {
  part.count = std::min(part.pitch(), block.count - first);
  const size_t bytes = block.codeBytes();
  for (size_t column = 0; column < block.columns(); ++column)
    std::memcpy(part.column(column), block.column(column) + first * bytes, part.count * bytes);
  for (size_t row = 0; row * part.pitch() < part.weights().size(); ++row)
    std::copy_n(block.weights().data() + row * block.pitch() + first, part.count,
                part.weights().data() + row * part.pitch());
}

void placeAnswers(const CaseAnswers &part, uint32_t first, CaseAnswers &all) {
  for (size_t t = 0; t < all.tables.size(); ++t) {
    const CaseTable &from = part.tables[t];
    CaseTable &to = all.tables[t];
    std::ranges::copy(from.entries, to.entries.data() + size_t{first} * to.size);
    std::ranges::copy(from.exponents, to.exponents.data() + first);
  }
  std::ranges::copy(part.states, all.states.data() + size_t{first} * all.variables);
}

template <class T>
void packWeights(const CaseSchema &schema, const CaseBlock &part, const LaneSlot &slot) {
  const std::vector<T> weights = laneWeights<T>(schema, part, slot.cases.pitch);
  std::ranges::copy(weights, slot.weights.as<T>());
}

template <class T> LaneResults<T> resultsOf(const LaneSlot &slot) {
  return {slot.cases.pitch, slot.results.as<T>(), slot.exponents.as<int32_t>(),
          slot.states.as<uint32_t>()};
}

} // namespace

/// A device without room for the parts gets blocks as a whole.
bool GpuLanes::takesParts(const CaseBlock &block) {
  if (partCases_ == 0 || block.count <= partCases_)
    return false;
  try {
    while (slots_.size() < kSlots)
      slots_.push_back(std::make_unique<LaneSlot>(device_, caseSize_, partCases_));
    if (part_.pitch() != partCases_)
      part_ = CaseBlock(program_.schema, partCases_);
  } catch (const Error &error) {
    if (error.kind() != ErrorKind::MemoryBound)
      throw;
    slots_.clear();
    partCases_ = 0;
  }
  return partCases_ != 0;
}

void GpuLanes::runParts(const CaseBlock &block, CaseAnswers &answers, std::vector<uint32_t> &left) {
  left.clear();
  size_t next = 0; // the slot whose part is the oldest
  try {
    for (uint32_t first = 0; first < block.count; next = (next + 1) % kSlots) {
      LaneSlot &slot = *slots_[next];
      collect(slot, answers, left);
      start(slot, block, first);
      first += slot.cases.count;
    }
    for (size_t i = 0; i < kSlots; ++i)
      collect(*slots_[(next + i) % kSlots], answers, left);
  } catch (...) {
    drain();
    throw;
  }
}

void GpuLanes::start(LaneSlot &slot, const CaseBlock &block, uint32_t first) {
  takeCases(block, first, part_);
  packLaneCodes(kernel_, part_, slot.cases.pitch, words_);
  std::ranges::copy(words_, slot.codes.as<uint32_t>());
  slot.stream.upload(slot.cases.codes, slot.codes.data(), words_.size() * sizeof(uint32_t));
  if (caseSize_.weightBytes != 0) {
    if (type_ == ElementType::F32)
      packWeights<float>(program_.schema, part_, slot);
    else
      packWeights<double>(program_.schema, part_, slot);
    slot.stream.upload(slot.cases.weights, slot.weights.data(),
                       caseSize_.weightBytes * slot.cases.pitch);
  }
  slot.cases.count = part_.count;
  slot.first = first;
  slot.isBusy = true;
  slot.stream.holdDevice();
  now_ = slot.cases.pointers();
  launch();
  slot.stream.waitForDevice();
  const auto fetchTable = [&](const PinnedMemory &to, const DeviceMemory &from,
                              uint64_t caseBytes) {
    slot.stream.download(to.data(), from, caseBytes * slot.cases.pitch);
  };
  fetchTable(slot.results, slot.cases.results, caseSize_.resultBytes);
  fetchTable(slot.exponents, slot.cases.exponents, caseSize_.exponentBytes);
  fetchTable(slot.states, slot.cases.states, caseSize_.stateBytes);
}

void GpuLanes::collect(LaneSlot &slot, CaseAnswers &answers, std::vector<uint32_t> &left) {
  if (!slot.isBusy)
    return;
  slot.stream.synchronize();
  slot.isBusy = false;
  shapeAnswers(program_, slot.cases.count, partAnswers_);
  std::vector<uint32_t> leftOfPart;
  if (type_ == ElementType::F32)
    readLaneResults(program_, plan_, kernel_, resultsOf<float>(slot), partAnswers_, leftOfPart);
  else
    readLaneResults(program_, plan_, kernel_, resultsOf<double>(slot), partAnswers_, leftOfPart);
  placeAnswers(partAnswers_, slot.first, answers);
  for (const uint32_t i : leftOfPart)
    left.push_back(slot.first + i);
}

/// Something has failed: what is still on its way must not reach memory that is used again.
void GpuLanes::drain() noexcept {
  device_.driver().streamSynchronize(device_.stream()); // whatever it says
  for (const std::unique_ptr<LaneSlot> &slot : slots_) {
    slot->stream.drain();
    slot->isBusy = false;
  }
}

} // namespace mpf
