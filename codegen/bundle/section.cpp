#include "codegen/bundle/section.h"

#include "codegen/bundle/bundle.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <xxhash.h>
#include <zstd.h>
#include <zstd_errors.h>

namespace mpf {

static_assert(std::endian::native == std::endian::little,
              "tables are stored as they lie in memory");

namespace {

constexpr std::string_view kMagic = "MPFB";
constexpr size_t kHeadBytes = 8;    ///< of a file
constexpr size_t kHeaderBytes = 32; ///< of a section

void appendNumber(std::string &out, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i)
    out.push_back(static_cast<char>(value >> (8 * i) & 0xff));
}

uint64_t numberAt(std::string_view text, size_t position, size_t bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes; ++i)
    value |= uint64_t{static_cast<unsigned char>(text[position + i])} << (8 * i);
  return value;
}

bool unpackable(uint64_t stored, uint64_t unpacked) {
  return unpacked <= kFreeUnpackBytes || unpacked / kMaxUnpackFactor <= stored;
}

} // namespace

std::string sectionFileHeader() {
  std::string header(kMagic);
  appendNumber(header, kBundleFormatVersion, 4);
  return header;
}

void appendSection(std::string &file, SectionKind kind, std::string_view contents) {
  constexpr int kLevel = 3;
  std::string packed(ZSTD_compressBound(contents.size()), '\0');
  const size_t size =
      ZSTD_compress(packed.data(), packed.size(), contents.data(), contents.size(), kLevel);
  if (ZSTD_isError(size) != 0) // there is room for any result
    throw std::bad_alloc();
  const bool pack = size < contents.size() && unpackable(size, contents.size());
  const std::string_view stored = pack ? std::string_view(packed).substr(0, size) : contents;
  appendNumber(file, static_cast<uint32_t>(kind), 4);
  appendNumber(file, pack ? 1 : 0, 4);
  appendNumber(file, stored.size(), 8);
  appendNumber(file, contents.size(), 8);
  appendNumber(file, XXH3_64bits(stored.data(), stored.size()), 8);
  file.append(stored);
}

SectionReader::SectionReader(ByteSource &file) : file_(file) {
  const std::string_view head = file_.at(0, std::min<uint64_t>(file_.sizeBytes(), kHeadBytes));
  if (!head.starts_with(kMagic))
    fail(ErrorKind::BadInput, "not a bundle: it does not start with {}{}", kMagic,
         head.starts_with('{') ? "; what --emit=bundle prints is for people, mpfc build writes "
                                 "bundles"
                               : "");
  if (head.size() < kHeadBytes)
    fail(ErrorKind::BadInput, "bundle: cut off after {} bytes", head.size());
  if (const uint64_t version = numberAt(head, kMagic.size(), 4); version != kBundleFormatVersion)
    fail(ErrorKind::BadInput, "bundle: format version {}, this program reads version {}", version,
         kBundleFormatVersion);
  position_ = kHeadBytes;
}

bool SectionReader::nextIs(SectionKind kind) {
  return file_.sizeBytes() - position_ >= kHeaderBytes &&
         numberAt(file_.at(position_, kHeaderBytes), 0, 4) == static_cast<uint32_t>(kind);
}

std::string SectionReader::next(SectionKind kind, uint64_t expectedBytes) {
  const uint64_t start = position_, size = file_.sizeBytes();
  if (size - position_ < kHeaderBytes)
    fail(ErrorKind::BadInput, "bundle: cut off at byte {}: a section header of {} bytes is due",
         size, kHeaderBytes);
  const std::string_view header = file_.at(position_, kHeaderBytes);
  const uint64_t foundKind = numberAt(header, 0, 4), packing = numberAt(header, 4, 4);
  const uint64_t stored = numberAt(header, 8, 8), unpacked = numberAt(header, 16, 8);
  const uint64_t checksum = numberAt(header, 24, 8);
  position_ += kHeaderBytes;
  if (foundKind != static_cast<uint32_t>(kind))
    fail(ErrorKind::BadInput, "bundle: the section at byte {} has kind {}, due is {}", start,
         foundKind, static_cast<uint32_t>(kind));
  if (stored > size - position_)
    fail(ErrorKind::BadInput, "bundle: the section at byte {} says {} bytes, {} are left", start,
         stored, size - position_);
  if (expectedBytes != UINT64_MAX && unpacked != expectedBytes)
    fail(ErrorKind::BadInput, "bundle: the section at byte {} holds {} bytes, due are {}", start,
         unpacked, expectedBytes);
  const std::string_view bytes = file_.at(position_, stored);
  position_ += stored;
  if (XXH3_64bits(bytes.data(), bytes.size()) != checksum)
    fail(ErrorKind::BadInput, "bundle: the section at byte {} is damaged (wrong checksum)", start);
  if (packing == 0 && stored == unpacked)
    return std::string(bytes);
  if (packing != 1 || !unpackable(stored, unpacked))
    fail(ErrorKind::BadInput, "bundle: the section at byte {} says {} bytes unpack to {}", start,
         stored, unpacked);
  std::string contents(unpacked, '\0');
  const size_t got = ZSTD_decompress(contents.data(), contents.size(), bytes.data(), bytes.size());
  if (ZSTD_getErrorCode(got) == ZSTD_error_memory_allocation)
    throw std::bad_alloc();
  if (ZSTD_isError(got) != 0 || got != unpacked)
    fail(ErrorKind::BadInput, "bundle: the section at byte {} does not unpack to {} bytes", start,
         unpacked);
  return contents;
}

void appendTable(std::string &file, std::span<const double> entries) {
  appendSection(file, SectionKind::Table,
                {reinterpret_cast<const char *>(entries.data()), entries.size_bytes()});
}

std::vector<double> tableEntries(std::string_view contents) {
  if (contents.size() % sizeof(double) != 0)
    fail(ErrorKind::BadInput, "bundle: a table of {} bytes, an entry has {}", contents.size(),
         sizeof(double));
  std::vector<double> entries(contents.size() / sizeof(double));
  if (!contents.empty())
    std::memcpy(entries.data(), contents.data(), contents.size());
  return entries;
}

} // namespace mpf
