#include "dsl/support/system/system_text.h"

#include "dsl/support/system/file_descriptor.h"

#include <array>
#include <cerrno>
#include <fcntl.h>

namespace mpf {

std::string systemText(const std::string &path) {
  constexpr size_t kMostReads = 4096; // of some 4 KiB each, because a device may never end
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file.isOpen())
    return {};
  std::string text;
  std::array<char, 4096> bytes;
  for (size_t reads = 0; reads < kMostReads; ++reads) {
    const ssize_t got = ::read(file.number(), bytes.data(), bytes.size());
    if (got == 0)
      return text;
    if (got > 0)
      text.append(bytes.data(), static_cast<size_t>(got));
    else if (errno != EINTR)
      return {};
  }
  return text;
}

} // namespace mpf
