#include "dsl/formats/cases/chunked_cases.h"

#include "dsl/source/text_error.h"
#include "dsl/support/cases/copy_cases.h"

#include <algorithm>
#include <iterator>

namespace mpf {

ChunkedCases::~ChunkedCases() {
  cancel();
  threads_.join();
}

void ChunkedCases::begin(const CaseReading &reading) { reading_ = reading; }

void ChunkedCases::cancel() {
  reader_->cancel();
  const std::lock_guard lock(mutex_);
  isStopping_ = true;
  slotIsFree_.notify_all();
  slotIsReady_.notify_all();
}

void ChunkedCases::failAtParam(size_t param, ErrorKind kind, const std::string &message) const {
  const SourcePlace &place = paramPlaces_[param];
  if (!place.buffer)
    CaseSource::failAtParam(param, kind, message);
  failAt(kind, place, "param {}: {}", schema().params[param], message);
}

void ChunkedCases::startThreads() {
  const unsigned count = reading_.threads > 1 ? reading_.threads : 0;
  slots_ = std::vector<Slot>(std::max(1U, 2 * count));
  threads_.start(count, [this] { work(); });
}

/// Runs on each thread: fetches the next chunk of the list, one thread at a time, and parses it.
void ChunkedCases::work() {
  for (;;) {
    std::unique_lock fetching(fetching_);
    Slot *slot = nullptr;
    {
      std::unique_lock lock(mutex_);
      slotIsFree_.wait(lock, [this] { return isStopping_ || fetched_ < taken_ + slots_.size(); });
      if (isStopping_)
        return;
      slot = &slots_[fetched_ % slots_.size()];
    }
    try {
      slot->isEnd = !reader_->fetch(slot->chunk);
    } catch (...) {
      slot->failure = std::current_exception();
    }
    const bool goesOn = !slot->isEnd && !slot->failure;
    {
      const std::lock_guard lock(mutex_);
      ++fetched_;
      isStopping_ = isStopping_ || !goesOn;
    }
    fetching.unlock();
    if (goesOn)
      try {
        reader_->parse(slot->chunk, reading_.onBadRow);
      } catch (...) {
        slot->failure = std::current_exception();
      }
    {
      const std::lock_guard lock(mutex_);
      slot->isReady = true;
    }
    slotIsReady_.notify_one();
    if (!goesOn) {
      slotIsFree_.notify_all();
      return;
    }
  }
}

/// Fetches and parses a chunk on the calling thread, unless the slot has it.
void ChunkedCases::fillHere(Slot &slot) {
  if (slot.isReady)
    return;
  try {
    slot.isEnd = !reader_->fetch(slot.chunk);
    if (!slot.isEnd)
      reader_->parse(slot.chunk, reading_.onBadRow);
  } catch (...) {
    slot.failure = std::current_exception();
  }
  slot.isReady = true;
}

/// Waits until the next chunk of the list is ready and returns its slot.
ChunkedCases::Slot &ChunkedCases::awaitSlot() {
  Slot &slot = slots_[taken_ % slots_.size()];
  if (threads_.empty()) {
    fillHere(slot);
    return slot;
  }
  std::unique_lock lock(mutex_);
  slotIsReady_.wait(lock, [&] { return slot.isReady || (isStopping_ && taken_ >= fetched_); });
  slot.isEnd = slot.isEnd || !slot.isReady; // cancelled
  return slot;
}

/// Frees the slot of the open chunk after all its cases were returned.
void ChunkedCases::closeChunk() {
  const CaseChunk &chunk = open_->chunk;
  for (size_t i = 0; i < chunk.block.skipped.size(); ++i) // only next() changes places_
    badRows_.add(places_.back().firstCase + chunk.block.skipped[i],
                 [&] { return renderDiagnostic(reader_->describe(chunk.bad[i], linesBefore_)); });
  linesBefore_ += chunk.lines;
  {
    const std::lock_guard lock(mutex_);
    open_->isReady = false;
    ++taken_;
  }
  open_ = nullptr;
  slotIsFree_.notify_one();
}

void ChunkedCases::keepPlace(uint64_t firstCase) {
  constexpr size_t kMostPlaces = 1 << 14; // enough for more than a gigabyte of text
  const CaseChunk &chunk = open_->chunk;
  const std::lock_guard lock(placing_);
  if (places_.size() == kMostPlaces)
    places_.pop_front();
  places_.push_back(
      {firstCase, linesBefore_, chunk.firstByte, chunk.size, chunk.lines == chunk.block.count});
}

CasePlace ChunkedCases::placeOf(uint64_t number, const CaseField &field) const {
  ChunkPlace chunk;
  {
    const std::lock_guard lock(placing_);
    const auto behind = std::ranges::upper_bound(places_, number, {}, &ChunkPlace::firstCase);
    if (behind == places_.begin())
      return CaseSource::placeOf(number, field);
    chunk = *std::prev(behind);
  }
  return reader_->placeOf(chunk, number - chunk.firstCase, field);
}

void ChunkedCases::failAtBadRow(const CaseChunk &chunk) const {
  const Diagnostic diagnostic = reader_->describe(chunk.bad.front(), linesBefore_);
  if (diagnostic.place.buffer)
    throw TextError(ErrorKind::BadInput, diagnostic);
  throw Error(ErrorKind::BadInput, diagnostic.message);
}

namespace {

/// Returns how many cases of `from`, starting at place `first`, fit into `to`.
uint32_t fittingCases(const CaseBlock &from, uint32_t first, const CaseBlock &to) {
  const uint32_t most = std::min(from.count - first, to.pitch() - to.count);
  if (!from.keepsText())
    return most;
  uint32_t count = 0;
  for (size_t bytes = to.keptBytes(); count < most && bytes < kMostKeptBytes; ++count)
    bytes += from.kept(first + count).size();
  return count;
}

} // namespace

bool ChunkedCases::next(CaseBlock &block) {
  if (!isStarted_)
    startThreads();
  isStarted_ = true;
  block.startAt(casesGiven_);
  // An error behind cases that were read is reported by the next call.
  while (block.count < block.pitch() && block.keptBytes() < kMostKeptBytes) {
    if (open_ == nullptr) {
      Slot &slot = awaitSlot();
      if (slot.failure && block.count == 0)
        std::rethrow_exception(slot.failure);
      if (slot.failure || slot.isEnd)
        break;
      open_ = &slot;
      at_ = 0;
      keepPlace(casesGiven_ + block.count);
    }
    const CaseChunk &chunk = open_->chunk;
    const uint32_t count = fittingCases(chunk.block, at_, block);
    copyCases(chunk.block, at_, count, block);
    at_ += count;
    if (at_ < chunk.block.count)
      break; // the block is full
    if (reading_.onBadRow == OnBadRow::Stop && !chunk.bad.empty()) {
      if (block.count == 0)
        failAtBadRow(chunk);
      break;
    }
    const bool isPaused = chunk.isPaused;
    closeChunk();
    if (isPaused && block.count != 0)
      break;
  }
  casesGiven_ += block.count;
  return block.count != 0;
}

} // namespace mpf
