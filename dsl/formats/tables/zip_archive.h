// Reads members of ZIP archives (PKWARE, APPNOTE.TXT, sections 4.3 and 4.4), which .npz files are:
// stored or deflated members, with 64-bit sizes where needed.
//
// Nothing is unpacked to a disk. The sizes in the directory are checked before memory is taken, and
// the checksum of a member after its last byte.
#pragma once

#include "dsl/formats/tables/stored_array.h"
#include "dsl/formats/tables/zip_member_stream.h"
#include "dsl/support/files/raw_input.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mpf {

/// An open archive. Not thread-safe.
class ZipArchive {
public:
  /// Opens a plain file and reads its directory. Throws Error(BadInput) for a pipe, for a broken
  /// directory, more than kMaxZipMembers members, or two members of one name.
  explicit ZipArchive(const std::string &path);

  const std::vector<ZipMember> &members() const { return members_; }
  /// Returns the bytes of a member; the archive must outlive them. Throws Error(BadInput), also
  /// while they are read, for an encrypted member, other methods than stored and deflated, wrong
  /// sizes or checksums, and members that unpack like decompression bombs.
  ByteInput open(const ZipMember &member) const;

private:
  void readDirectory(uint64_t at, uint64_t bytes, uint64_t count);
  std::string bytesAt(uint64_t offset, uint64_t bytes) const;
  [[noreturn]] void broken(const std::string &what) const;

  std::string path_;
  RawInput file_;
  uint64_t sizeBytes_ = 0;
  std::vector<ZipMember> members_;
};

inline constexpr uint64_t kMaxZipMembers = 100'000;

} // namespace mpf
