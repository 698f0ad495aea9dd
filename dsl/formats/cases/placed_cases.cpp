#include "dsl/formats/cases/placed_cases.h"

#include "dsl/source/text_error.h"
#include "dsl/support/cases/copy_cases.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace mpf {

namespace {

bool haveSameShape(const CaseBlock &a, const CaseBlock &b) {
  return a.pitch() == b.pitch() && a.columns() == b.columns() && a.codeBytes() == b.codeBytes() &&
         a.weights().size() == b.weights().size() && a.params().size() == b.params().size();
}

} // namespace

PlacedCases::~PlacedCases() {
  cancel();
  for (std::thread &thread : threads_)
    thread.join();
}

void PlacedCases::cancel() {
  const std::lock_guard lock(mutex_);
  isStopping_ = isCancelled_ = true;
  partIsThere_.notify_all();
  blockIsReady_.notify_all();
}

void PlacedCases::failAtParam(size_t param, ErrorKind kind, const std::string &message) const {
  const SourcePlace &place = paramPlaces_[param];
  if (!place.buffer)
    CaseSource::failAtParam(param, kind, message);
  failAt(kind, place, "param {}: {}", schema().params[param], message);
}

void PlacedCases::start(uint32_t blockRows) {
  const uint64_t rows = reader_->rowCount();
  blockRows_ = static_cast<uint32_t>(
      std::clamp<uint64_t>(rows, 1, std::max(blockRows, reader_->partRows())));
  blocks_ = (rows + blockRows_ - 1) / blockRows_;
  if (reading_.threads <= 1 || rows <= reader_->partRows())
    return;
  const uint64_t partsAhead = uint64_t{2} * reading_.threads * reader_->partRows();
  const uint64_t ahead = kFewestBlocks - 1 + (partsAhead - 1) / blockRows_;
  slots_ = std::vector<Slot>(static_cast<size_t>(std::min(ahead + 1, blocks_)));
  for (size_t number = 0; number < slots_.size(); ++number)
    prepare(slots_[number], number);
  threads_.reserve(reading_.threads);
  try {
    while (threads_.size() < reading_.threads)
      threads_.emplace_back([this] { work(); });
  } catch (const std::system_error &) { // then with fewer
  }
}

/// For the parts of a block, of which there are none behind the last.
void PlacedCases::prepare(Slot &slot, uint64_t number) const {
  slot.parts.clear();
  slot.claimed = slot.done = 0;
  if (number >= blocks_)
    return;
  if (slot.block.pitch() == 0)
    slot.block = CaseBlock(schema(), blockRows_);
  slot.firstRow = number * blockRows_;
  const auto rows =
      static_cast<uint32_t>(std::min<uint64_t>(blockRows_, reader_->rowCount() - slot.firstRow));
  for (uint32_t first = 0; first < rows; first += slot.parts.back().count)
    slot.parts.push_back({first, std::min(rows - first, reader_->partRows())});
}

/// The slot of the next part that is to be read; null: every part of the blocks that may be read is
/// handed out.
PlacedCases::Slot *PlacedCases::slotToClaim() {
  while (claiming_ < std::min(blocks_, taken_ + slots_.size())) {
    Slot &slot = slotOf(claiming_);
    if (slot.claimed < slot.parts.size())
      return &slot;
    ++claiming_;
  }
  return nullptr;
}

void PlacedCases::work() {
  ChunkBytes bytes;
  std::unique_lock lock(mutex_);
  for (;;) {
    Slot *slot = nullptr;
    partIsThere_.wait(lock, [&] {
      return isStopping_ || (slot = slotToClaim()) != nullptr || claiming_ == blocks_;
    });
    if (isStopping_ || slot == nullptr)
      return;
    Part &part = slot->parts[slot->claimed++];
    lock.unlock();
    readPart(slot->firstRow, part, slot->block, bytes);
    lock.lock();
    isStopping_ = isStopping_ || endsIn(part);
    if (++slot->done == slot->claimed)
      blockIsReady_.notify_one();
    if (isStopping_)
      partIsThere_.notify_all();
  }
}

void PlacedCases::readPart(uint64_t firstRow, Part &part, CaseBlock &block,
                           ChunkBytes &bytes) const {
  part.cases = 0;
  part.problems.clear();
  part.failure = nullptr;
  try {
    part.problems = reader_->read(firstRow + part.first, part.count, block, part.first, bytes);
    part.cases =
        settleProblems(part.problems, reading_.onBadRow, schema(), block, part.first, part.count);
  } catch (...) {
    part.failure = std::current_exception();
  }
}

/// Whether the list ends with the cases of this part, or before them.
bool PlacedCases::endsIn(const Part &part) const { return part.cases < part.count; }

/// Counts the cases of a part, behind those of the parts before it.
void PlacedCases::settle(uint64_t firstRow, const Part &part, CaseBlock &block) {
  block.count += part.cases;
  for (const auto &[row, message] : part.problems) {
    const std::string text =
        fmt::format("{}: row {}: {}", name(), firstRow + part.first + row, message);
    if (endsIn(part)) {
      failure_ = std::make_exception_ptr(Error(ErrorKind::BadInput, text));
      break;
    }
    block.skipped.push_back(part.first + row);
    ++badRows_.count;
    if (badRows_.messages.size() < BadRows::kMostMessages)
      badRows_.messages.push_back(renderDiagnostic({Severity::Error, {}, text, {}}));
  }
  if (part.failure)
    failure_ = part.failure;
  isEnd_ = isEnd_ || endsIn(part);
}

/// Reads what the block has room for.
void PlacedCases::readHere(CaseBlock &block) {
  {
    const std::lock_guard lock(mutex_);
    isEnd_ = isEnd_ || isCancelled_;
  }
  if (isEnd_)
    return;
  const uint64_t left = reader_->rowCount() - rowsRead_;
  for (uint32_t first = 0; first < std::min<uint64_t>(left, block.pitch()) && !isEnd_;) {
    Part part{first, static_cast<uint32_t>(std::min<uint64_t>(
                         {left - first, block.pitch() - first, reader_->partRows()}))};
    readPart(rowsRead_, part, block, bytes_);
    settle(rowsRead_, part, block);
    first += part.count;
  }
  rowsRead_ += block.count;
}

/// The block taken_, as soon as its parts have come; null: cancelled.
PlacedCases::Slot *PlacedCases::awaitBlock() {
  Slot &slot = slotOf(taken_);
  {
    std::unique_lock lock(mutex_);
    blockIsReady_.wait(lock, [&] {
      return isCancelled_ ||
             (slot.done == slot.claimed && (isStopping_ || slot.claimed == slot.parts.size()));
    });
    isEnd_ = isCancelled_;
  }
  if (isEnd_)
    return nullptr;
  slot.block.count = 0;
  slot.block.skipped.clear();
  isEnd_ = slot.claimed < slot.parts.size() || taken_ + 1 >= blocks_;
  for (size_t i = 0; i < slot.claimed && (i == 0 || !endsIn(slot.parts[i - 1])); ++i)
    settle(slot.firstRow, slot.parts[i], slot.block);
  isOpen_ = true;
  at_ = 0;
  return &slot;
}

void PlacedCases::giveCases(CaseBlock &block) {
  while (block.count < block.pitch() && (isOpen_ || !isEnd_)) {
    Slot *const open = isOpen_ ? &slotOf(taken_) : awaitBlock();
    if (open == nullptr)
      return;
    Slot &slot = *open;
    const uint32_t all = slot.block.count;
    if (at_ == 0 && block.count == 0 && haveSameShape(block, slot.block)) {
      slot.block.first = block.first;
      std::swap(block, slot.block);
      at_ = all;
    } else {
      const uint32_t count = std::min(all - at_, block.pitch() - block.count);
      copyCases(slot.block, at_, count, block);
      at_ += count;
    }
    if (at_ < all)
      return; // the block is full
    isOpen_ = false;
    {
      const std::lock_guard lock(mutex_);
      prepare(slot, taken_ + slots_.size());
      ++taken_;
    }
    partIsThere_.notify_all();
  }
}

bool PlacedCases::next(CaseBlock &block) {
  if (blockRows_ == 0)
    start(block.pitch());
  block.first = casesGiven_;
  block.count = 0;
  block.skipped.clear();
  if (threads_.empty())
    readHere(block);
  else
    giveCases(block);
  casesGiven_ += block.count;
  if (block.count == 0 && failure_)
    std::rethrow_exception(std::exchange(failure_, nullptr));
  return block.count != 0;
}

} // namespace mpf
