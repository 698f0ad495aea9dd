// The unpacked bytes of one member of a ZIP archive.
#pragma once

#include "dsl/support/files/raw_input.h"

#include <cstdint>
#include <memory>
#include <string>

namespace mpf {

/// A member of an archive as the directory describes it.
struct ZipMember {
  std::string name;
  uint64_t packedBytes = 0, bytes = 0; ///< sizes in the archive, and unpacked
  uint64_t headerAt = 0;               ///< offset of its header in the file
  uint32_t checksum = 0;               ///< CRC-32 of the unpacked bytes
  uint16_t method = 0, flags = 0;
};

/// Not thread-safe. The file must outlive it.
class ZipMemberStream {
public:
  /// `begin`: offset of the packed bytes, which are within the file. Throws Error(BadInput) for an
  /// unknown method, sizes that no data of the method have, and sizes as of decompression bombs.
  ZipMemberStream(const RawInput &file, const ZipMember &member, uint64_t begin, std::string name);
  ~ZipMemberStream();
  ZipMemberStream(const ZipMemberStream &) = delete;
  ZipMemberStream &operator=(const ZipMemberStream &) = delete;

  /// Fills [into, into + size) as far as there are bytes. Throws Error(BadInput) for broken data,
  /// more or fewer bytes than the directory says, and a wrong checksum after the last byte.
  size_t read(char *into, size_t size);

private:
  struct Inflater;
  size_t readStored(char *into, size_t size);
  size_t readDeflated(char *into, size_t size);
  [[noreturn]] void broken(const char *what) const;

  const RawInput &file_;
  ZipMember member_;
  std::string name_;
  uint64_t at_, packedLeft_; ///< offset of the next packed byte, and their number
  uint64_t left_;            ///< unpacked bytes that are still to come
  uint32_t checksum_ = 0;    ///< of the bytes so far
  std::unique_ptr<Inflater> inflater_;
};

} // namespace mpf
