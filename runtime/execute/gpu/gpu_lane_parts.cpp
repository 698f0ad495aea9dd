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

#include <algorithm>

namespace mpf {

namespace {
constexpr size_t kSlots = 2;
} // namespace

/// A device without room for the parts gets blocks as a whole.
bool GpuLanes::takesParts(const CaseBlock &block) {
  if (partCases_ == 0 || block.count <= partCases_)
    return false;
  try {
    while (slots_.size() < kSlots)
      slots_.push_back(std::make_unique<LaneSlot>(device_, caseSize_, partCases_));
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
  const uint32_t count = std::min(partCases_, block.count - first);
  pack(block, {first, count, slot.cases.pitch}, slot.cases.pitch, slot.codes.as<uint32_t>(),
       slot.weights.data());
  slot.stream.upload(slot.cases.codes, slot.codes.data(), caseSize_.codeBytes * slot.cases.pitch);
  if (caseSize_.weightBytes != 0)
    slot.stream.upload(slot.cases.weights, slot.weights.data(),
                       caseSize_.weightBytes * slot.cases.pitch);
  slot.cases.count = count;
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
  readResults({slot.cases.pitch, slot.results.data(), slot.exponents.as<int32_t>(),
               slot.states.as<uint32_t>()},
              {slot.first, slot.cases.count, slot.cases.count}, answers, left);
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
