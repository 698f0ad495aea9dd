// A large block in parts: copies, kernels and the host's work on successive parts overlap.
//
//   host           pack 0 | pack 1 | read 0, pack 2 | read 1, pack 3 | ...
//   stream of slot 0        0 in      0 out  2 in        2 out
//   stream of slot 1                 1 in        1 out   3 in
//   device's stream             kernel 0    kernel 1   kernel 2
//
// Kernels stay on one stream, for they share the memory of large messages. With several callers
// each has slots of its own: at least one.
#include "runtime/execute/gpu/lanes/gpu_lanes.h"

#include <algorithm>

namespace mpf {

namespace {
constexpr size_t kSlotsOfCaller = 2;
/// Parts of a block that is sent: a larger one waits for the device anyhow.
constexpr uint64_t kMostSentParts = 4;
constexpr uint64_t kPlaceStep = 256; // whole sectors for every row of words
} // namespace

/// Small blocks are not worth the memory, but where it is there.
bool GpuLanes::takesParts(const CaseBlock &block) const {
  return partCases_ != 0 && (block.count >= partCases_ || !parts_.isEmpty());
}

/// False: the device has no room for parts, and the block is not answered.
bool GpuLanes::runParts(const CaseBlock &block, CaseAnswers &answers, std::vector<uint32_t> &left) {
  left.clear();
  std::vector<LaneSlot *> mine; // the one whose part is the oldest first
  struct GiveBack {
    LaneSlots &parts;
    std::vector<LaneSlot *> &slots;
    ~GiveBack() {
      for (LaneSlot *const slot : slots)
        parts.giveBack(*slot);
    }
  };
  const GiveBack giveBack{parts_, mine};
  mine.reserve(kSlotsOfCaller);
  try {
    for (uint32_t first = 0; first < block.count;) {
      LaneSlot *const more = mine.size() < kSlotsOfCaller ? parts_.take(mine.empty()) : nullptr;
      if (more != nullptr) {
        mine.push_back(more);
      } else if (mine.empty()) {
        return false;
      } else {
        collect(*mine.front(), answers, left, poolOfCaller());
        std::rotate(mine.begin(), mine.begin() + 1, mine.end());
      }
      start(*mine.back(), block, first, poolOfCaller());
      first += mine.back()->cases.count;
    }
    for (LaneSlot *const slot : mine)
      collect(*slot, answers, left, poolOfCaller());
  } catch (...) {
    drain(mine);
    throw;
  }
  return true;
}

/// All parts of a block on their way.
class GpuLanes::Sent final : public SentLanes {
public:
  Sent(GpuLanes &lanes, CaseAnswers &answers) : lanes_(lanes), answers_(answers) {}
  ~Sent() override {
    if (std::ranges::any_of(slots_, [](const LaneSlot *slot) { return slot->isBusy; }))
      lanes_.drain(slots_);
    giveBack();
  }
  Sent(const Sent &) = delete;
  Sent &operator=(const Sent &) = delete;

  /// False: there are not as many slots.
  bool takeSlots(size_t count) {
    slots_.reserve(count);
    while (slots_.size() < count) {
      LaneSlot *const slot = lanes_.parts_.take(false);
      if (slot == nullptr)
        return false;
      slots_.push_back(slot);
    }
    return true;
  }
  void start(const CaseBlock &block) {
    for (uint32_t first = 0; LaneSlot *const slot : slots_) {
      lanes_.start(*slot, block, first, nullptr);
      first += slot->cases.count;
    }
  }
  void finish(std::vector<uint32_t> &left) override {
    lanes_.device_.makeCurrent();
    left.clear();
    for (LaneSlot *const slot : slots_)
      lanes_.collect(*slot, answers_, left, nullptr);
    giveBack();
  }

private:
  void giveBack() {
    for (LaneSlot *const slot : slots_)
      lanes_.parts_.giveBack(*slot);
    slots_.clear();
  }

  GpuLanes &lanes_;
  CaseAnswers &answers_;
  std::vector<LaneSlot *> slots_;
};

std::unique_ptr<SentLanes> GpuLanes::send(const CaseBlock &block, CaseAnswers &answers) {
  if (!takesParts(block) || block.count > kMostSentParts * partCases_)
    return nullptr;
  device_.makeCurrent();
  auto sent = std::make_unique<Sent>(*this, answers);
  if (!sent->takeSlots((size_t{block.count} + partCases_ - 1) / partCases_))
    return nullptr;
  sent->start(block);
  return sent;
}

/// Packs a part and puts it on its way.
void GpuLanes::start(LaneSlot &slot, const CaseBlock &block, uint32_t first, ThreadPool *pool) {
  const uint32_t count = std::min(partCases_, block.count - first);
  slot.pitch = std::min(slot.cases.pitch, (count + kPlaceStep - 1) / kPlaceStep * kPlaceStep);
  pack(block, {first, count, slot.pitch}, slot.pitch, slot.codes.as<uint32_t>(),
       slot.weights.data(), pool);
  slot.cases.count = count;
  slot.first = first;
  slot.isBusy = true;
  slot.stream.upload(slot.cases.codes, slot.codes.data(), caseSize_.codeBytes * slot.pitch);
  if (caseSize_.weightBytes != 0)
    slot.stream.upload(slot.cases.weights, slot.weights.data(), caseSize_.weightBytes * slot.pitch);
  launchSlot(slot);
  const auto fetchTable = [&](const PinnedMemory &to, const DeviceMemory &from,
                              uint64_t caseBytes) {
    slot.stream.download(to.data(), from, caseBytes * slot.pitch);
  };
  fetchTable(slot.results, slot.cases.results, caseSize_.resultBytes);
  fetchTable(slot.exponents, slot.cases.exponents, caseSize_.exponentBytes);
  fetchTable(slot.states, slot.cases.states, caseSize_.stateBytes);
  slot.stream.mark();
}

void GpuLanes::launchSlot(LaneSlot &slot) {
  const std::lock_guard lock(launching_);
  slot.stream.holdDevice();
  now_ = slot.cases.pointers();
  now_.pitch = slot.pitch;
  launch();
  slot.stream.waitForDevice();
}

void GpuLanes::collect(LaneSlot &slot, CaseAnswers &answers, std::vector<uint32_t> &left,
                       ThreadPool *pool) {
  if (!slot.isBusy)
    return;
  slot.stream.sleepUntilMark();
  slot.isBusy = false;
  readResults(
      {slot.pitch, slot.results.data(), slot.exponents.as<int32_t>(), slot.states.as<uint32_t>()},
      {slot.first, slot.cases.count, slot.cases.count}, answers, left, pool);
}

/// Something has failed: what is still on its way must not reach memory that is used again.
void GpuLanes::drain(const std::vector<LaneSlot *> &slots) noexcept {
  device_.drain();
  for (LaneSlot *const slot : slots) {
    slot->stream.drain();
    slot->isBusy = false;
  }
}

} // namespace mpf
