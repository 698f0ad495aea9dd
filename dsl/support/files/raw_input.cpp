#include "dsl/support/files/raw_input.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace mpf {

namespace {

constexpr size_t kFirstReadBytes = size_t{64} << 10;
constexpr useconds_t kPipePollUs = 20'000;
constexpr int kCancelPollMs = 100;

[[noreturn]] void failToRead(const std::string &path) {
  fail(ErrorKind::BadInput, "{}: cannot be read: {}", path, std::strerror(errno));
}

/// Returns the bytes read; 0 at the end; -1 if there are none yet.
ssize_t readSome(int file, char *into, size_t size, const std::string &path) {
  for (;;) {
    const ssize_t got = ::read(file, into, size);
    if (got >= 0)
      return got;
    if (errno == EAGAIN)
      return -1;
    if (errno != EINTR)
      failToRead(path);
  }
}

} // namespace

RawInput::RawInput(int number, std::string name) : name_(std::move(name)), number_(number) {
  if (::fstat(number, &status_) != 0)
    failToRead(name_);
}

RawInput RawInput::standardInput() { return RawInput(STDIN_FILENO, kStandardInputName); }

RawInput::RawInput(const std::string &path) : name_(path) {
  // An open call that waits would block on a pipe until it has a writer.
  file_ = FileDescriptor(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file_.isOpen())
    fail(ErrorKind::BadInput, "{}: cannot be opened: {}", path, std::strerror(errno));
  if (::fstat(file_.number(), &status_) != 0)
    failToRead(path);
  if (S_ISDIR(status_.st_mode))
    fail(ErrorKind::BadInput, "{}: is a directory, a file is needed", path);
  if (S_ISFIFO(status_.st_mode))
    awaitWriter();
  ::fcntl(file_.number(), F_SETFL, 0); // reads may wait from here on
}

/// Waits for a writer of the pipe; bytes that are read by that go to pending_.
void RawInput::awaitWriter() {
  for (int waited = 0; waited < kPipeWaitSeconds * 1'000'000; waited += kPipePollUs) {
    pending_.resize(kFirstReadBytes);
    const ssize_t got = readSome(number(), pending_.data(), pending_.size(), name_);
    pending_.resize(got > 0 ? static_cast<size_t>(got) : 0);
    if (got != 0) // -1: there is a writer
      return;
    ::usleep(kPipePollUs);
  }
  fail(ErrorKind::BadInput, "{}: is a pipe that nobody has written to for {} seconds", name_,
       kPipeWaitSeconds);
}

size_t RawInput::read(char *into, size_t size) {
  if (!pending_.empty()) {
    const size_t count = std::min(size, pending_.size());
    std::memcpy(into, pending_.data(), count);
    pending_.erase(0, count);
    return count;
  }
  while (!cancelled_) {
    if (!S_ISREG(status_.st_mode)) {
      pollfd ready{number(), POLLIN, 0};
      const int events = ::poll(&ready, 1, kCancelPollMs);
      if (events < 0 && errno != EINTR)
        failToRead(name_);
      if (events <= 0)
        continue;
    }
    // No bytes yet: another process that shares the open file made it non-blocking.
    if (const ssize_t got = readSome(number(), into, size, name_); got >= 0)
      return static_cast<size_t>(got);
  }
  return 0;
}

bool RawInput::isReadyWithin(int timeMs) const {
  if (!pending_.empty() || S_ISREG(status_.st_mode) || cancelled_)
    return true;
  pollfd ready{number(), POLLIN, 0};
  return ::poll(&ready, 1, timeMs) != 0; // read() reports errors
}

size_t RawInput::readAt(uint64_t offset, char *into, size_t size) const {
  size_t count = 0;
  while (count < size) {
    const ssize_t got =
        ::pread(number(), into + count, size - count, static_cast<off_t>(offset + count));
    if (got == 0)
      break;
    if (got < 0 && errno != EINTR)
      failToRead(name_);
    count += got > 0 ? static_cast<size_t>(got) : 0;
  }
  return count;
}

} // namespace mpf
