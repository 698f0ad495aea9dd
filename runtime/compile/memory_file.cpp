#include "runtime/compile/memory_file.h"

#include "dsl/support/error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace mpf {

MemoryFile::MemoryFile(std::string_view contents)
    : descriptor_(::memfd_create("mpf", MFD_CLOEXEC)) {
  // Where mpf's stdin was closed, this file must not become a child's before it is meant to be.
  if (descriptor_ >= 0 && descriptor_ <= 2)
    ::close(std::exchange(descriptor_, ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 3)));
  if (descriptor_ < 0)
    fail(ErrorKind::Device, "no file in memory: {}", std::strerror(errno));
  const size_t bytes = contents.size();
  while (!contents.empty()) {
    const ssize_t count = ::write(descriptor_, contents.data(), contents.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0) {
      const int problem = errno;
      ::close(descriptor_);
      fail(ErrorKind::Device, "no memory for a file of {} bytes: {}", bytes,
           std::strerror(problem));
    }
    contents.remove_prefix(static_cast<size_t>(count));
  }
  ::lseek(descriptor_, 0, SEEK_SET);
}

MemoryFile::~MemoryFile() {
  if (descriptor_ >= 0)
    ::close(descriptor_);
}

MemoryFile::MemoryFile(MemoryFile &&other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

MemoryFile &MemoryFile::operator=(MemoryFile &&other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

std::string MemoryFile::start(size_t mostBytes) const {
  std::string text(mostBytes, '\0');
  const ssize_t count = ::pread(descriptor_, text.data(), text.size(), 0);
  text.resize(count < 0 ? 0 : static_cast<size_t>(count));
  return text;
}

} // namespace mpf
