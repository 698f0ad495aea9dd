#include "runtime/compile/memory_file.h"

#include "dsl/support/check.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace mpf {

namespace {

[[noreturn]] void failToRead() {
  fail(ErrorKind::Device, "a file in memory cannot be read: {}", std::strerror(errno));
}

} // namespace

MemoryFile::MemoryFile(std::string_view contents) : file_(::memfd_create("mpf", MFD_CLOEXEC)) {
  // The descriptor must not be 0 to 2, which happens if mpf's stdin was closed: it would replace a
  // stream of a child.
  if (file_.isOpen() && file_.number() <= 2)
    file_ = FileDescriptor(::fcntl(file_.number(), F_DUPFD_CLOEXEC, 3));
  if (!file_.isOpen())
    fail(ErrorKind::Device, "no file in memory: {}", std::strerror(errno));
  const size_t bytes = contents.size();
  while (!contents.empty()) {
    const ssize_t count = ::write(file_.number(), contents.data(), contents.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      fail(ErrorKind::Device, "no memory for a file of {} bytes: {}", bytes, std::strerror(errno));
    contents.remove_prefix(static_cast<size_t>(count));
  }
  if (::lseek(file_.number(), 0, SEEK_SET) != 0) // a child reads from the current position
    failToRead();
}

std::string MemoryFile::start(size_t mostBytes) const {
  std::string text(mostBytes, '\0');
  size_t have = 0;
  while (have < mostBytes) {
    const ssize_t count =
        ::pread(file_.number(), text.data() + have, mostBytes - have, static_cast<off_t>(have));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      failToRead();
    if (count == 0)
      break;
    have += static_cast<size_t>(count);
  }
  text.resize(have);
  return text;
}

std::string MemoryFile::contents() const {
  const off_t bytes = ::lseek(file_.number(), 0, SEEK_END);
  if (bytes < 0)
    failToRead();
  return start(static_cast<size_t>(bytes));
}

} // namespace mpf
