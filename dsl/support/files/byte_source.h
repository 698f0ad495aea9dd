// Reads a file piece by piece, on demand. A reader can refuse a file after its first bytes, and it
// holds one piece in memory at a time.
#pragma once

#include "dsl/support/system/file_descriptor.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace mpf {

/// Not thread-safe.
class ByteSource {
public:
  /// Reads `text`, which must outlive the source.
  explicit ByteSource(std::string_view text) : text_(text), sizeBytes_(text.size()) {}
  /// Reads a file. Compressed files (file_input.h), pipes and devices are read as a whole by the
  /// constructor. Throws as readFile, also for more than `maxBytes`.
  ByteSource(const std::string &path, uint64_t maxBytes);
  ByteSource(const ByteSource &) = delete;
  ByteSource &operator=(const ByteSource &) = delete;

  uint64_t sizeBytes() const { return sizeBytes_; }
  /// Returns the bytes [offset, offset + bytes), which must be within the size. Valid until the
  /// next call. Throws Error(BadInput) if the file cannot be read or has become shorter.
  std::string_view at(uint64_t offset, uint64_t bytes);

private:
  std::string path_;
  FileDescriptor file_; ///< not open: text_ has all bytes
  std::string piece_;   ///< the bytes last read, or all bytes of a file that was read as a whole
  std::string_view text_;
  uint64_t sizeBytes_ = 0;
};

} // namespace mpf
