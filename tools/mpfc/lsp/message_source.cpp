#include "tools/mpfc/lsp/message_source.h"

#include "dsl/support/files/lower_case.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fmt/format.h>
#include <poll.h>
#include <string_view>
#include <unistd.h>

namespace mpf::lsp {

namespace {

constexpr size_t kMaxHeaderBytes = 4096;
constexpr std::string_view kLength = "content-length:";

/// Returns the value of Content-Length among the lines of a header; nothing if there is none.
std::optional<uint64_t> contentLength(std::string_view header) {
  while (!header.empty()) {
    const std::string_view line = header.substr(0, header.find('\n'));
    header.remove_prefix(std::min(line.size() + 1, header.size()));
    if (!lowerCase(line).starts_with(kLength))
      continue;
    std::string_view digits = line.substr(kLength.size());
    digits.remove_prefix(std::min(digits.find_first_not_of(" \t"), digits.size()));
    uint64_t value = 0;
    const auto [end, problem] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const std::string_view rest(end, static_cast<size_t>(digits.data() + digits.size() - end));
    if (problem == std::errc() && rest.find_first_not_of(" \t\r") == std::string_view::npos)
      return value;
  }
  return std::nullopt;
}

} // namespace

std::optional<Message> MessageSource::next(bool wait) {
  constexpr size_t kMostBlocks = 256; // a client that never pauses is answered too
  for (size_t blocks = 0;
       !isEnded_ && waitingBytes_ < kMaxBytes && (waiting_.empty() || blocks < kMostBlocks) &&
       hasInput(wait && waiting_.empty());
       ++blocks) {
    readSome();
    cutMessages();
  }
  if (waiting_.empty())
    return std::nullopt;
  Waiting first = std::move(waiting_.front());
  waiting_.pop_front();
  waitingBytes_ -= first.bytes;
  if (const auto id = waitingIds_.find(first.message.idKey); id != waitingIds_.end()) {
    first.message.isCancelled = id->second;
    waitingIds_.erase(id);
  }
  return std::move(first.message);
}

bool MessageSource::hasInput(bool wait) const {
  pollfd input{in_, POLLIN, 0};
  int ready = 0;
  do
    ready = ::poll(&input, 1, wait ? -1 : 0);
  while (ready < 0 && errno == EINTR);
  return ready > 0;
}

void MessageSource::readSome() {
  constexpr size_t kBlock = size_t{64} << 10;
  const size_t before = input_.size();
  input_.resize(before + kBlock);
  const ssize_t count = ::read(in_, input_.data() + before, kBlock);
  input_.resize(before + static_cast<size_t>(std::max<ssize_t>(count, 0)));
  isEnded_ = count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN);
}

void MessageSource::cutMessages() {
  while (cutMessage()) {
  }
  input_.erase(0, start_);
  start_ = 0;
}

/// Returns false if the rest of the input is no whole message.
bool MessageSource::cutMessage() {
  const auto skipped = static_cast<size_t>(std::min<uint64_t>(skip_, input_.size() - start_));
  start_ += skipped;
  skip_ -= skipped;
  if (!length_)
    return cutHeader();
  const std::string_view rest = std::string_view(input_).substr(start_);
  if (rest.size() < *length_)
    return false;
  const size_t length = *length_;
  length_.reset();
  start_ += length;
  add(readMessage(rest.substr(0, length)), length);
  return true;
}

/// Cuts a header, or what stands in place of one. Returns false if its end has not come.
bool MessageSource::cutHeader() {
  const std::string_view rest = std::string_view(input_).substr(start_, kMaxHeaderBytes + 4);
  const size_t windows = rest.find("\r\n\r\n"), plain = rest.find("\n\n");
  const size_t end = std::min(windows, plain);
  if (end == std::string_view::npos) {
    const bool isTooLong = rest.size() > kMaxHeaderBytes;
    if (isTooLong) {
      refuse("a header without an end");
      start_ += kMaxHeaderBytes; // an end may have come in part
    }
    return isTooLong;
  }
  start_ += end + (windows < plain ? 4 : 2);
  const std::optional<uint64_t> length = contentLength(rest.substr(0, end));
  if (!length) {
    refuse("a header without Content-Length");
    return true;
  }
  isLost_ = false;
  if (*length > kMaxBytes) {
    refuse(fmt::format("a message of {} bytes, the limit is {}", *length, kMaxBytes));
    skip_ = *length;
    return true;
  }
  length_ = static_cast<size_t>(*length);
  return true;
}

void MessageSource::refuse(std::string problem) {
  if (!isLost_) {
    Message fault;
    fault.fault = {{ErrorCode::ParseError, std::move(problem)}};
    add(std::move(fault), 0);
  }
  isLost_ = true;
}

void MessageSource::add(Message message, size_t bytes) {
  if (message.method == "$/cancelRequest") {
    if (const auto id = waitingIds_.find(message.cancelledKey); id != waitingIds_.end())
      id->second = true;
    return;
  }
  if (message.id)
    waitingIds_.try_emplace(message.idKey, false);
  bytes += sizeof(Waiting) + (message.fault ? message.fault->message.size() : 0);
  waitingBytes_ += bytes;
  waiting_.push_back({std::move(message), bytes});
}

} // namespace mpf::lsp
