#include "dsl/support/system_text.h"

#include "dsl/support/file_descriptor.h"

#include <cerrno>
#include <fcntl.h>

namespace mpf {

std::string systemText(const std::string &path) {
  constexpr size_t kReadBytes = 4096;
  constexpr size_t kMostBytes = size_t{16} << 20;
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file.isOpen())
    return {};
  std::string text;
  while (text.size() < kMostBytes) {
    const size_t old = text.size();
    text.resize(old + kReadBytes);
    const ssize_t got = ::read(file.number(), text.data() + old, kReadBytes);
    text.resize(old + static_cast<size_t>(got > 0 ? got : 0));
    if (got == 0)
      return text;
    if (got < 0 && errno != EINTR)
      return {};
  }
  return text;
}

} // namespace mpf
