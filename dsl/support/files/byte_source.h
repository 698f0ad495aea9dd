// A file read where it is looked at: what is no use is refused by its head, and what is takes the
// memory of one piece at a time.
#pragma once

#include "dsl/support/system/file_descriptor.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace mpf {

class ByteSource {
public:
  /// Reads a text, which must outlive the source.
  explicit ByteSource(std::string_view text) : text_(text), sizeBytes_(text.size()) {}
  /// Reads a plain file piece by piece; compressed files (file_input.h), pipes and devices are read
  /// whole. Throws what readFile throws.
  ByteSource(const std::string &path, uint64_t maxBytes);
  ByteSource(const ByteSource &) = delete;
  ByteSource &operator=(const ByteSource &) = delete;

  uint64_t sizeBytes() const { return sizeBytes_; }
  /// Bytes [offset, offset + bytes), which must be within the size; valid until the next call.
  /// Throws Error(BadInput) for a file that cannot be read, or has become shorter.
  std::string_view at(uint64_t offset, uint64_t bytes);

private:
  std::string path_;
  FileDescriptor file_; ///< not open: text_ is all
  std::string piece_;   ///< of the file; or the whole of what text_ shows
  std::string_view text_;
  uint64_t sizeBytes_ = 0;
};

} // namespace mpf
