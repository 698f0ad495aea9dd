#include "runtime/execute/gpu/lanes/lane_parts.h"

#include "dsl/support/error.h"
#include "runtime/execute/lanes/sent/part_size.h"
#include "runtime/execute/lanes/sent/sent_rows.h"

#include <algorithm>

namespace mpf {

namespace {
constexpr size_t kSlotsOfCaller = 2;
/// The most parts of a sent block, because its slots are not available for other blocks.
constexpr uint32_t kMostSentParts = 4;

/// Returns part `number` of `parts` parts of a block, of about equal size.
CaseRange partOf(const CaseBlock &block, uint32_t number, uint32_t parts) {
  const uint32_t cases = (block.count + parts - 1) / parts;
  const uint32_t first = std::min(number * cases, block.count);
  CaseRange part;
  part.first = first;
  part.count = std::min(cases, block.count - first);
  return part;
}
} // namespace

LaneParts::LaneParts(LaneLauncher &launcher, const LanePacking &packing,
                     const KernelStoreOptions &kernels)
    : launcher_(launcher), packing_(packing), kernels_(kernels),
      partCases_(copiesOverlap(launcher.device())
                     ? partCases(static_cast<double>(launcher.caseSize().sum()))
                     : 0),
      slots_(launcher.device()) {}

bool LaneParts::takesParts(const CaseBlock &block) const {
  return partCases_ != 0 && (block.count >= partCases_ || !slots_.isEmpty());
}

bool LaneParts::run(const CaseBlock &block, CaseAnswers &answers, std::vector<uint32_t> &left) {
  left.clear();
  std::vector<LaneSlot *> mine; // in the order of their parts, the oldest first
  struct GiveBack {
    LaneSlots &parts;
    std::vector<LaneSlot *> &slots;
    ~GiveBack() {
      for (LaneSlot *const slot : slots)
        parts.giveBack(*slot);
    }
  };
  const GiveBack giveBack{slots_, mine};
  mine.reserve(kSlotsOfCaller);
  try {
    const uint32_t parts = partCount(block.count, partCases_);
    const PartLayout layout =
        PartLayout::of(launcher_.caseSize(), partOf(block, 0, parts).count, 0);
    for (uint32_t number = 0; number < parts; ++number) {
      LaneSlot *const more =
          mine.size() < kSlotsOfCaller ? slots_.take(mine.empty(), layout) : nullptr;
      if (more != nullptr) {
        mine.push_back(more);
      } else if (mine.empty()) {
        return false;
      } else {
        collect(*mine.front(), answers, left, packing_.poolOfCaller());
        std::rotate(mine.begin(), mine.begin() + 1, mine.end());
      }
      start(*mine.back(), block, partOf(block, number, parts), packing_.poolOfCaller());
    }
    for (LaneSlot *const slot : mine)
      collect(*slot, answers, left, packing_.poolOfCaller());
  } catch (...) {
    drain(mine);
    throw;
  }
  return true;
}

/// A sent block: all its parts are in flight.
class LaneParts::Sent final : public SentLanes {
public:
  Sent(LaneParts &parts, CaseAnswers &answers) : parts_(parts), answers_(answers) {}
  ~Sent() override {
    if (std::ranges::any_of(slots_, [](const LaneSlot *slot) { return slot->isBusy; }))
      parts_.drain(slots_);
    giveBack();
  }
  Sent(const Sent &) = delete;
  Sent &operator=(const Sent &) = delete;

  /// Takes `count` slots with room for such parts. Returns false if there are not enough.
  bool takeSlots(uint32_t count, const PartLayout &layout) {
    slots_.reserve(count);
    while (slots_.size() < count) {
      LaneSlot *const slot = parts_.slots_.take(false, layout);
      if (slot == nullptr)
        return false;
      slots_.push_back(slot);
    }
    return true;
  }
  /// Starts all parts. `rows`: null if the block was read.
  void start(const ByteRows *rows, const CaseBlock &block) {
    if (rows != nullptr)
      turner_ = parts_.turnerFor(*rows);
    const auto parts = static_cast<uint32_t>(slots_.size());
    for (uint32_t number = 0; number < parts; ++number) {
      LaneSlot &slot = *slots_[number];
      const CaseRange part = partOf(block, number, parts);
      if (rows == nullptr)
        parts_.start(slot, block, part, nullptr);
      else if (!parts_.startRows(slot, *rows, turner_, block, part))
        isRefused_ = true;
    }
  }
  bool finish(std::vector<uint32_t> &left) override {
    parts_.launcher_.device().makeCurrent();
    left.clear();
    for (LaneSlot *const slot : slots_)
      if (!parts_.collect(*slot, answers_, left, nullptr))
        isRefused_ = true;
    giveBack();
    return !isRefused_;
  }

private:
  void giveBack() {
    for (LaneSlot *const slot : slots_)
      parts_.slots_.giveBack(*slot);
    slots_.clear();
  }

  LaneParts &parts_;
  CaseAnswers &answers_;
  std::vector<LaneSlot *> slots_;
  std::shared_ptr<const RowTurner> turner_; ///< null if the block was read
  bool isRefused_ = false;
};

std::unique_ptr<SentLanes> LaneParts::send(const CaseBlock &block, const ByteRows *rows,
                                           CaseAnswers &answers) {
  if (partCases_ == 0)
    return nullptr;
  const uint32_t part = rows == nullptr ? partCases_ : partCasesOf(*rows);
  const uint32_t parts = std::min(partCount(block.count, part), kMostSentParts);
  const uint32_t most = partOf(block, 0, parts).count;
  const PartLayout layout =
      PartLayout::of(launcher_.caseSize(), most, rows ? sentBytes(*rows, most) : 0);
  if (layout.sizeBytes > kMostPartBytes)
    return nullptr;
  launcher_.device().makeCurrent();
  auto sent = std::make_unique<Sent>(*this, answers);
  if (!sent->takeSlots(parts, layout))
    return nullptr;
  sent->start(rows, block);
  return sent;
}

/// Returns the cases of a part of rows. It is not 0, because read cases take more bytes and
/// partCases_ is not 0.
uint32_t LaneParts::partCasesOf(const ByteRows &rows) const {
  const double rowBytes = static_cast<double>(rows.rowBytes()) * sentCodeBits(rows) / 8;
  return partCases(rowBytes + static_cast<double>(launcher_.caseSize().answerBytes()));
}

/// Returns the converter of a list's rows. That of another caller's list exists until its last part
/// is answered.
std::shared_ptr<const RowTurner> LaneParts::turnerFor(const ByteRows &rows) {
  GpuRowForm form = rowFormOf(rows, launcher_.kernel());
  const std::lock_guard lock(turning_);
  if (turner_ == nullptr || turner_->form() != form)
    turner_ = std::make_shared<RowTurner>(launcher_.device(), kernels_, std::move(form));
  return turner_;
}

/// Packs a part and starts it.
void LaneParts::start(LaneSlot &slot, const CaseBlock &block, const CaseRange &part,
                      ThreadPool *pool) {
  slot.first = part.first;
  slot.count = part.count;
  slot.turner = nullptr;
  slot.layout = PartLayout::of(launcher_.caseSize(), part.count, 0);
  const uint64_t pitch = slot.layout.pitch;
  packing_.pack(block, {part.first, part.count, pitch}, pitch, slot.hostAt<uint32_t>(0),
                slot.hostAt<std::byte>(slot.layout.weights), pool);
  answer(slot);
}

/// Fetches the rows of a part and starts it. Returns false if they cannot be fetched.
bool LaneParts::startRows(LaneSlot &slot, const ByteRows &rows,
                          const std::shared_ptr<const RowTurner> &turner, const CaseBlock &block,
                          const CaseRange &part) {
  slot.first = part.first;
  slot.count = part.count;
  slot.turner = turner;
  slot.layout = PartLayout::of(launcher_.caseSize(), part.count, sentBytes(rows, part.count));
  if (!fetchToSend(rows, block.first + part.first, part.count, slot.hostAt<std::byte>(0)))
    return false;
  answer(slot);
  return true;
}

/// Uploads a part, launches its kernels, and starts to download the answers.
void LaneParts::answer(LaneSlot &slot) {
  const PartLayout &layout = slot.layout;
  *slot.hostAt<uint32_t>(layout.refused) = 0;
  slot.isBusy = true;
  slot.stream.upload(slot.memory, slot.host.data(), layout.upBytes());
  const LanePointers cases = slot.pointers();
  if (slot.turner != nullptr)
    slot.turner->launch({slot.memory.address(), cases.codes, slot.memory.address() + layout.refused,
                         cases.pitch, cases.count},
                        slot.stream.handle());
  launcher_.launch(cases, slot.stream.handle());
  slot.stream.download(slot.hostAt<std::byte>(layout.refused), slot.memory, layout.downBytes(),
                       layout.refused);
  slot.stream.mark();
}

/// Waits for a part and reads its answers. Returns false, without answers, if some rows are
/// invalid.
bool LaneParts::collect(LaneSlot &slot, CaseAnswers &answers, std::vector<uint32_t> &left,
                        ThreadPool *pool) {
  if (!slot.isBusy)
    return true;
  slot.stream.sleepUntilMark();
  slot.isBusy = false;
  if (slot.turner != nullptr && slot.isRefused())
    return false;
  const PartLayout &layout = slot.layout;
  packing_.read({layout.pitch, slot.hostAt<std::byte>(layout.results),
                 slot.hostAt<int32_t>(layout.exponents), slot.hostAt<uint32_t>(layout.states)},
                {slot.first, slot.count, slot.count}, answers, left, pool);
  return true;
}

/// Waits after a failure: work in flight must not write to memory that is used again.
void LaneParts::drain(const std::vector<LaneSlot *> &slots) noexcept {
  launcher_.device().drain();
  for (LaneSlot *const slot : slots) {
    slot->stream.drain();
    slot->isBusy = false;
  }
}

} // namespace mpf
