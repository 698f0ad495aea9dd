#include "dsl/support/files/raw_file.h"

#include "dsl/support/error.h"
#include "dsl/support/number_text.h"
#include "dsl/support/system/file_descriptor.h"
#include "dsl/support/system/growth_guard.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace mpf {

namespace {

constexpr size_t kReadBytes = size_t{1} << 20;
constexpr useconds_t kPipePollUs = 20'000;

[[noreturn]] void failToRead(const std::string &path) {
  fail(ErrorKind::BadInput, "{}: cannot be read: {}", path, std::strerror(errno));
}

/// Bytes read, 0 at the end; -1 when there are none yet.
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

/// Until somebody writes to the pipe; what is read by that goes to `contents`.
void awaitWriter(int pipe, const std::string &path, std::string &contents) {
  for (int waited = 0; waited < kPipeWaitSeconds * 1'000'000; waited += kPipePollUs) {
    contents.resize(kReadBytes);
    const ssize_t got = readSome(pipe, contents.data(), contents.size(), path);
    contents.resize(got > 0 ? static_cast<size_t>(got) : 0);
    if (got != 0) // -1: there is a writer
      return;
    ::usleep(kPipePollUs);
  }
  fail(ErrorKind::BadInput, "{}: is a pipe that nobody has written to for {} seconds", path,
       kPipeWaitSeconds);
}

struct stat statusOf(int file, const std::string &path) {
  struct stat status = {};
  if (::fstat(file, &status) != 0)
    failToRead(path);
  return status;
}

/// Appends the rest of `file`, which may block.
void readRest(int file, const std::string &path, uint64_t maxBytes, std::string &contents) {
  const mode_t mode = statusOf(file, path).st_mode;
  const bool isDevice = S_ISCHR(mode) || S_ISBLK(mode);
  const uint64_t limit = isDevice ? std::min(maxBytes, kMaxDeviceBytes) : maxBytes;
  GrowthGuard guard(path);
  for (;;) {
    guard.mayGrow(contents);
    const size_t old = contents.size();
    contents.resize(old + kReadBytes);
    ssize_t got = readSome(file, contents.data() + old, kReadBytes, path);
    while (got < 0) { // whoever shares the open file asked for reads that do not wait
      pollfd ready{file, POLLIN, 0};
      if (::poll(&ready, 1, -1) < 0 && errno != EINTR)
        failToRead(path);
      got = readSome(file, contents.data() + old, kReadBytes, path);
    }
    contents.resize(old + static_cast<size_t>(got));
    if (contents.size() > limit)
      fail(ErrorKind::BadInput, "{}: holds more than {}, the limit for such a {}", path,
           formatBytes(limit), isDevice ? "device" : "file");
    if (got == 0)
      return;
  }
}

} // namespace

std::string readRawFile(const std::string &path, uint64_t maxBytes) {
  // Without waiting: an open pipe blocks until somebody writes to it.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file.isOpen())
    fail(ErrorKind::BadInput, "{}: cannot be opened: {}", path, std::strerror(errno));
  const struct stat status = statusOf(file.number(), path);
  if (S_ISDIR(status.st_mode))
    fail(ErrorKind::BadInput, "{}: is a directory, a file is needed", path);
  if (S_ISREG(status.st_mode) && static_cast<uint64_t>(status.st_size) > maxBytes)
    fail(ErrorKind::BadInput, "{}: holds {}, more than {}, the limit for such a file", path,
         formatBytes(static_cast<uint64_t>(status.st_size)), formatBytes(maxBytes));
  std::string contents;
  if (S_ISFIFO(status.st_mode))
    awaitWriter(file.number(), path, contents);
  ::fcntl(file.number(), F_SETFL, 0); // from here on it may take its time
  readRest(file.number(), path, maxBytes, contents);
  return contents;
}

std::string readRawStdin(uint64_t maxBytes) {
  std::string contents;
  readRest(STDIN_FILENO, "standard input", maxBytes, contents);
  return contents;
}

} // namespace mpf
