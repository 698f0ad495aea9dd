#include "dsl/support/files/byte_source.h"

#include "dsl/support/check.h"
#include "dsl/support/files/file_input.h"
#include "dsl/support/files/unpacker.h"
#include "dsl/support/number_text.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>

namespace mpf {

namespace {

/// Bytes that are read at once: a system call returns at most 2 GiB.
constexpr uint64_t kLongestReadBytes = uint64_t{256} << 20;

} // namespace

ByteSource::ByteSource(const std::string &path, uint64_t maxBytes) : path_(path) {
  file_ = FileDescriptor(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat status = {};
  const bool plain =
      file_.isOpen() && ::fstat(file_.number(), &status) == 0 && S_ISREG(status.st_mode);
  sizeBytes_ = plain ? static_cast<uint64_t>(status.st_size) : 0;
  if (plain && sizeBytes_ > maxBytes)
    fail(ErrorKind::BadInput, "{}: holds {}, more than {}, the limit for such a file", path,
         formatBytes(sizeBytes_), formatBytes(maxBytes));
  if (plain && !isPacked(at(0, std::min(sizeBytes_, uint64_t{kPackedStartBytes}))))
    return;
  file_ = FileDescriptor();
  piece_ = readFile(path, maxBytes);
  text_ = piece_;
  sizeBytes_ = text_.size();
}

std::string_view ByteSource::at(uint64_t offset, uint64_t bytes) {
  if (!file_.isOpen())
    return text_.substr(offset, bytes);
  piece_.resize(bytes);
  for (uint64_t read = 0; read < bytes;) {
    const ssize_t got =
        ::pread(file_.number(), piece_.data() + read, std::min(bytes - read, kLongestReadBytes),
                static_cast<off_t>(offset + read));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      fail(ErrorKind::BadInput, "{}: cannot be read: {}", path_, std::strerror(errno));
    if (got == 0)
      fail(ErrorKind::BadInput, "{}: has become shorter while it was read", path_);
    read += static_cast<uint64_t>(got);
  }
  return piece_;
}

} // namespace mpf
