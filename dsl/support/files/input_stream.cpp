#include "dsl/support/files/input_stream.h"

#include "dsl/support/check.h"
#include "dsl/support/number_text.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace mpf {

namespace {
constexpr size_t kPackedBytes = size_t{256} << 10; ///< read from a packed file at once
constexpr const char *kStandardInputPath = "-";
} // namespace

InputStream::InputStream(const std::string &path)
    : name_(path == kStandardInputPath ? kStandardInputName : path) {
  if (path == kStandardInputPath)
    input_ = std::unique_ptr<RawInput>(new RawInput(RawInput::standardInput()));
  else
    input_ = std::make_unique<RawInput>(path);
  if (S_ISREG(input_->status().st_mode))
    fileBytes_ = static_cast<uint64_t>(input_->status().st_size);
  head_.resize(kPackedStartBytes);
  head_.resize(readRaw(head_.data(), head_.size()));
  unpacker_ = unpackerFor(head_, name_);
  if (unpacker_) {
    packed_ = std::make_unique<char[]>(kPackedBytes);
    std::copy(head_.begin(), head_.end(), packed_.get());
    packedRest_ = {packed_.get(), head_.size()};
    head_.clear();
  } else if (path != kStandardInputPath) {
    sizeBytes_ = fileBytes_;
  }
}

uint64_t InputStream::likelyBytes() const {
  const uint64_t consumed = rawBytes_ - packedRest_.size();
  if (!unpacker_ || consumed == 0)
    return unpacker_ ? 0 : fileBytes_;
  const double growth = static_cast<double>(unpackedBytes_) / static_cast<double>(consumed);
  return static_cast<uint64_t>(growth * static_cast<double>(fileBytes_));
}

void InputStream::cancel() {
  if (input_)
    input_->cancel();
}

bool InputStream::isReady() const {
  return headAt_ != head_.size() || !packedRest_.empty() || ended_ || !input_ ||
         input_->isReadyWithin(kPauseMs);
}

bool InputStream::pauses() {
  hasPaused_ = !input_->isReadyWithin(kPauseMs);
  return hasPaused_;
}

size_t InputStream::readRaw(char *into, size_t size, Until until) {
  size_t count = 0;
  hasPaused_ = false;
  while (count < size) {
    if (until == Until::Pause && count != 0 && pauses())
      break;
    const size_t got = input_->read(into + count, size - count);
    count += got;
    if (got == 0)
      break;
  }
  rawBytes_ += count;
  if (input_->isDevice() && rawBytes_ > kMaxDeviceBytes)
    fail(ErrorKind::BadInput, "{}: holds more than {}, the limit for such a device", name_,
         formatBytes(kMaxDeviceBytes));
  return count;
}

size_t InputStream::readPacked(char *into, size_t size, Until until) {
  size_t count = 0;
  while (count < size && !ended_) {
    const size_t before = packedRest_.size();
    const Unpacker::Step step =
        unpacker_->step(packedRest_, inputEnded_, into + count, size - count);
    count += step.written;
    unpackedBytes_ += step.written;
    ended_ = step.ended;
    if (step.written != 0 || packedRest_.size() != before || inputEnded_)
      continue;
    if (until == Until::Pause && count != 0 && pauses())
      break;
    std::memmove(packed_.get(), packedRest_.data(), packedRest_.size());
    const size_t room = kPackedBytes - packedRest_.size();
    const size_t got = readRaw(packed_.get() + packedRest_.size(), room, until);
    packedRest_ = {packed_.get(), packedRest_.size() + got};
    inputEnded_ = got < room && !hasPaused_;
  }
  return count;
}

size_t InputStream::readBehindHead(char *into, size_t size, Until until) {
  if (unpacker_)
    return readPacked(into, size, until);
  if (input_)
    return readRaw(into, size, until);
  const size_t count = text_.copy(into, size);
  text_.remove_prefix(count);
  return count;
}

size_t InputStream::read(char *into, size_t size) {
  const size_t count = head_.copy(into, size, headAt_);
  headAt_ += count;
  return count == size ? count : count + readBehindHead(into + count, size - count);
}

size_t InputStream::readUntilPause(char *into, size_t size) {
  const size_t count = head_.copy(into, size, headAt_);
  headAt_ += count;
  hasPaused_ = count != 0 && count < size && !isReady();
  if (count == size || hasPaused_)
    return count;
  return count + readBehindHead(into + count, size - count, Until::Pause);
}

std::string_view InputStream::peek(size_t size) {
  head_.erase(0, std::exchange(headAt_, 0));
  if (const size_t known = head_.size(); known < size) {
    head_.resize(size);
    head_.resize(known + readBehindHead(head_.data() + known, size - known));
  }
  return std::string_view(head_).substr(0, size);
}

} // namespace mpf
