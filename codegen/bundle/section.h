// The container of .mpfb files: sections with lengths and checksums behind a fixed header. The
// container does not depend on the contents of sections.
//
//   file     "MPFB", u32 version, then sections to the end of the file
//   section  u32 kind, u32 packing (0 plain, 1 zstd), u64 stored bytes, u64 unpacked bytes,
//            u64 XXH3-64 of the stored bytes, then those bytes
//
// All numbers little-endian.
#pragma once

#include "dsl/support/files/byte_source.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

enum class SectionKind : uint32_t {
  Form = 1,  ///< the word of the program's form (forms/program_form.h)
  Table = 2, ///< entries
  Cubin = 3, ///< the image of a kernel
  Text = 4,  ///< lines of the head, and of a lane program's body
  Body = 5,  ///< the body of a table program, as JSON
};

/// The limit of unpacked data: this factor, or this size if that is more. It bounds the memory that
/// a small hostile file can make a reader allocate. The writer stores data plainly that would
/// exceed it.
inline constexpr uint64_t kMaxUnpackFactor = 1024;
inline constexpr uint64_t kFreeUnpackBytes = uint64_t{16} << 20;

/// Returns the head of a file: "MPFB" and the version.
std::string sectionFileHeader();
/// Appends header and contents to `file`. The contents are packed where that makes them smaller and
/// keeps the bounds above.
void appendSection(std::string &file, SectionKind kind, std::string_view contents);

/// A section of kind Table: the entries as they lie in memory.
void appendTable(std::string &file, std::span<const double> entries);
/// The entries that such a section holds. Throws Error(BadInput) for a part of an entry.
std::vector<double> tableEntries(std::string_view contents);

/// Reads sections one after the other. Errors are Error(BadInput) naming the byte.
class SectionReader {
public:
  /// `file` must outlive the reader. Checks magic and version, reading no more.
  explicit SectionReader(ByteSource &file);

  bool atEnd() const { return position_ == file_.sizeBytes(); }
  /// Whether there is a next section of this kind.
  bool nextIs(SectionKind kind);
  /// The next section, which must be of this kind and, when `expectedBytes` is not UINT64_MAX,
  /// unpack to that many bytes.
  std::string next(SectionKind kind, uint64_t expectedBytes = UINT64_MAX);

private:
  ByteSource &file_;
  uint64_t position_ = 0;
};

} // namespace mpf
