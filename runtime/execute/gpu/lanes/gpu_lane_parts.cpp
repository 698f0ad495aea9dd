// A large block in parts: copies, kernels and the host's work on successive parts overlap.
//
//   host           pack 0 | pack 1 | read 0, pack 2 | read 1, pack 3 | ...
//   stream of slot 0        0 in      0 out  2 in        2 out
//   stream of slot 1                 1 in        1 out   3 in
//   device's stream             kernel 0    kernel 1   kernel 2
//
// Kernels stay on one stream, for they share the memory of large messages. With several callers
// each has slots of its own: at least one.
#include "dsl/support/error.h"
#include "runtime/execute/gpu/lanes/gpu_lanes.h"
#include "runtime/execute/lanes/sent_rows.h"

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
  /// False: the device has no room for rows.
  bool takeRows(const ByteRows &rows) {
    turner_ = lanes_.turnerFor(rows);
    const size_t sizeBytes = sentBytes(rows, lanes_.partCases_);
    try {
      for (LaneSlot *const slot : slots_)
        if (slot->rows == nullptr || slot->rows->deviceBytes.sizeBytes() < sizeBytes)
          slot->rows = std::make_unique<SlotRows>(lanes_.device_, sizeBytes);
    } catch (const Error &error) {
      if (error.kind() != ErrorKind::MemoryBound)
        throw;
      return false;
    }
    return true;
  }
  /// `rows`: null where the block was read.
  void start(const ByteRows *rows, const CaseBlock &block) {
    for (uint32_t first = 0; LaneSlot *const slot : slots_) {
      if (rows == nullptr)
        lanes_.start(*slot, block, first, nullptr);
      else if (!lanes_.startRows(*slot, *rows, turner_, block, first))
        isRefused_ = true;
      first += slot->cases.count;
    }
  }
  bool finish(std::vector<uint32_t> &left) override {
    lanes_.device_.makeCurrent();
    left.clear();
    for (LaneSlot *const slot : slots_)
      if (!lanes_.collect(*slot, answers_, left, nullptr))
        isRefused_ = true;
    giveBack();
    return !isRefused_;
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
  std::shared_ptr<const RowTurner> turner_; ///< null where the block was read
  bool isRefused_ = false;
};

std::unique_ptr<SentLanes> GpuLanes::send(const CaseBlock &block, const ByteRows *rows,
                                          CaseAnswers &answers) {
  if (!takesParts(block) || block.count > kMostSentParts * partCases_)
    return nullptr;
  device_.makeCurrent();
  auto sent = std::make_unique<Sent>(*this, answers);
  if (!sent->takeSlots((size_t{block.count} + partCases_ - 1) / partCases_))
    return nullptr;
  if (rows != nullptr && !sent->takeRows(*rows))
    return nullptr;
  sent->start(rows, block);
  return sent;
}

/// Another caller may have rows of another list: its turner stays until its last part is answered.
std::shared_ptr<const RowTurner> GpuLanes::turnerFor(const ByteRows &rows) {
  GpuRowForm form = rowFormOf(rows, kernel_);
  const std::lock_guard lock(launching_);
  if (turner_ == nullptr || turner_->form() != form)
    turner_ = std::make_shared<RowTurner>(device_, kernelOptions_, std::move(form));
  return turner_;
}

/// A part of cases from `first` of a block on, as many as there are.
void GpuLanes::begin(LaneSlot &slot, const CaseBlock &block, uint32_t first) {
  slot.cases.count = std::min(partCases_, block.count - first);
  slot.pitch = std::min<uint64_t>(slot.cases.pitch,
                                  (slot.cases.count + kPlaceStep - 1) / kPlaceStep * kPlaceStep);
  slot.first = first;
}

/// Packs a part and puts it on its way.
void GpuLanes::start(LaneSlot &slot, const CaseBlock &block, uint32_t first, ThreadPool *pool) {
  begin(slot, block, first);
  slot.turner = nullptr;
  pack(block, {first, slot.cases.count, slot.pitch}, slot.pitch, slot.codes.as<uint32_t>(),
       slot.weights.data(), pool);
  slot.isBusy = true;
  slot.stream.upload(slot.cases.codes, slot.codes.data(), caseSize_.codeBytes * slot.pitch);
  if (caseSize_.weightBytes != 0)
    slot.stream.upload(slot.cases.weights, slot.weights.data(), caseSize_.weightBytes * slot.pitch);
  answer(slot);
}

/// Fetches the rows of a part and puts it on its way. False: they cannot be fetched, and it is not.
bool GpuLanes::startRows(LaneSlot &slot, const ByteRows &rows,
                         const std::shared_ptr<const RowTurner> &turner, const CaseBlock &block,
                         uint32_t first) {
  begin(slot, block, first);
  if (!fetchToSend(rows, block.first + first, slot.cases.count, slot.rows->bytes.as<std::byte>()))
    return false;
  *slot.rows->refused.as<uint32_t>() = 0;
  slot.turner = turner;
  slot.isBusy = true;
  slot.stream.upload(slot.rows->deviceBytes, slot.rows->bytes.data(),
                     sentBytes(rows, slot.cases.count));
  slot.stream.upload(slot.rows->deviceRefused, slot.rows->refused.data(), sizeof(uint32_t));
  answer(slot);
  return true;
}

/// Launches what answers a part, and has the answers brought back.
void GpuLanes::answer(LaneSlot &slot) {
  launchSlot(slot);
  const auto fetchTable = [&](const PinnedMemory &to, const DeviceMemory &from,
                              uint64_t caseBytes) {
    slot.stream.download(to.data(), from, caseBytes * slot.pitch);
  };
  fetchTable(slot.results, slot.cases.results, caseSize_.resultBytes);
  fetchTable(slot.exponents, slot.cases.exponents, caseSize_.exponentBytes);
  fetchTable(slot.states, slot.cases.states, caseSize_.stateBytes);
  if (slot.turner != nullptr)
    slot.stream.download(slot.rows->refused.data(), slot.rows->deviceRefused, sizeof(uint32_t));
  slot.stream.mark();
}

void GpuLanes::launchSlot(LaneSlot &slot) {
  const std::lock_guard lock(launching_);
  slot.stream.holdDevice();
  now_ = slot.cases.pointers();
  now_.pitch = slot.pitch;
  if (slot.turner != nullptr)
    slot.turner->launch(*slot.rows, now_.codes, now_.pitch, now_.count);
  launch();
  slot.stream.waitForDevice();
}

/// False: it has rows that are none, and no answers.
bool GpuLanes::collect(LaneSlot &slot, CaseAnswers &answers, std::vector<uint32_t> &left,
                       ThreadPool *pool) {
  if (!slot.isBusy)
    return true;
  slot.stream.sleepUntilMark();
  slot.isBusy = false;
  if (slot.turner != nullptr && slot.rows->isRefused())
    return false;
  readResults(
      {slot.pitch, slot.results.data(), slot.exponents.as<int32_t>(), slot.states.as<uint32_t>()},
      {slot.first, slot.cases.count, slot.cases.count}, answers, left, pool);
  return true;
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
