#include "dsl/formats/tables/zip_archive.h"

#include "dsl/support/check.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace mpf {

namespace {

constexpr std::string_view kHeaderMark = "PK\x03\x04", kEntryMark = "PK\x01\x02",
                           kEndMark = "PK\x05\x06", kFarEndMark = "PK\x06\x06",
                           kFarEndPlaceMark = "PK\x06\x07";
constexpr uint64_t kHeaderBytes = 30, kEntryBytes = 46, kEndBytes = 22, kFarEndBytes = 56,
                   kFarEndPlaceBytes = 20;
constexpr uint64_t kMaxCommentBytes = 65535;
constexpr uint64_t kMaxDirectoryBytes = uint64_t{64} << 20;
constexpr uint16_t kEncrypted = 1, kFarSizes = 1; ///< a flag; an identifier of extra data
constexpr uint32_t kIsFar = UINT32_MAX;           ///< the number stands in the extra data

uint64_t number(std::string_view bytes, size_t at, size_t count) {
  uint64_t value = 0;
  for (size_t i = count; i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}
uint16_t number16(std::string_view bytes, size_t at) {
  return static_cast<uint16_t>(number(bytes, at, 2));
}
uint32_t number32(std::string_view bytes, size_t at) {
  return static_cast<uint32_t>(number(bytes, at, 4));
}

/// Takes the 64-bit numbers of an entry from its extra data. Returns false if one is missing.
bool takeFarSizes(std::string_view extra, ZipMember &member) {
  uint64_t *const wanted[] = {&member.bytes, &member.packedBytes, &member.headerAt};
  if (std::ranges::none_of(wanted, [](const uint64_t *size) { return *size == kIsFar; }))
    return true;
  for (size_t at = 0; at + 4 <= extra.size();) {
    const size_t length = number16(extra, at + 2);
    const std::string_view field = extra.substr(at + 4, length);
    if (number16(extra, at) == kFarSizes) {
      size_t next = 0;
      for (uint64_t *const size : wanted) {
        if (*size != kIsFar)
          continue;
        if (next + 8 > field.size())
          return false;
        *size = number(field, next, 8);
        next += 8;
      }
      return true;
    }
    at += 4 + length;
  }
  return false;
}

} // namespace

void ZipArchive::broken(const std::string &what) const {
  fail(ErrorKind::BadInput, "{}: broken ZIP archive: {}", path_, what);
}

std::string ZipArchive::bytesAt(uint64_t offset, uint64_t bytes) const {
  if (offset > sizeBytes_ || bytes > sizeBytes_ - offset)
    broken("a part of it lies behind its end");
  std::string read(bytes, '\0');
  if (file_.readAt(offset, read.data(), bytes) != bytes)
    broken("it became shorter while it was read");
  return read;
}

ZipArchive::ZipArchive(const std::string &path) : path_(path), file_(path) {
  sizeBytes_ = S_ISREG(file_.status().st_mode) ? static_cast<uint64_t>(file_.status().st_size) : 0;
  const uint64_t size = sizeBytes_;
  if (size == 0)
    fail(ErrorKind::BadInput, "{}: is no plain file, and its members cannot be searched for", path);
  const uint64_t tailBytes = std::min(size, kEndBytes + kMaxCommentBytes);
  const std::string tail = bytesAt(size - tailBytes, tailBytes);
  const size_t end = tail.rfind(kEndMark);
  if (end == std::string::npos || tail.size() - end < kEndBytes)
    fail(ErrorKind::BadInput, "{}: is no ZIP archive, as .npz files are, or lacks its end", path);
  uint64_t count = number16(tail, end + 10), bytes = number32(tail, end + 12),
           at = number32(tail, end + 16);
  const bool isFar = count == UINT16_MAX || bytes == kIsFar || at == kIsFar;
  const std::string_view place(
      end >= kFarEndPlaceBytes ? std::string_view(tail).substr(end - kFarEndPlaceBytes) : "");
  if (isFar && place.starts_with(kFarEndPlaceMark)) {
    const std::string farEnd = bytesAt(number(place, 8, 8), kFarEndBytes);
    if (!farEnd.starts_with(kFarEndMark))
      broken("its end is not where it should be");
    count = number(farEnd, 32, 8);
    bytes = number(farEnd, 40, 8);
    at = number(farEnd, 48, 8);
  }
  if (count > kMaxZipMembers || bytes > kMaxDirectoryBytes)
    fail(ErrorKind::BadInput,
         "{}: has {} members in a directory of {} bytes, the limits are {} and {}", path, count,
         bytes, kMaxZipMembers, kMaxDirectoryBytes);
  readDirectory(at, bytes, count);
}

void ZipArchive::readDirectory(uint64_t at, uint64_t bytes, uint64_t count) {
  const std::string directory = bytesAt(at, bytes);
  std::unordered_set<std::string> names;
  for (size_t next = 0; members_.size() < count;) {
    const std::string_view entry = std::string_view(directory).substr(next);
    if (entry.size() < kEntryBytes || !entry.starts_with(kEntryMark))
      broken("its directory has " + std::to_string(members_.size()) + " members, its end says " +
             std::to_string(count));
    const size_t nameBytes = number16(entry, 28), extraBytes = number16(entry, 30),
                 commentBytes = number16(entry, 32);
    const size_t entryBytes = kEntryBytes + nameBytes + extraBytes + commentBytes;
    if (entry.size() < entryBytes)
      broken("its directory ends inside a member");
    ZipMember member;
    member.name = entry.substr(kEntryBytes, nameBytes);
    member.flags = number16(entry, 8);
    member.method = number16(entry, 10);
    member.checksum = number32(entry, 16);
    member.packedBytes = number32(entry, 20);
    member.bytes = number32(entry, 24);
    member.headerAt = number32(entry, 42);
    if (!takeFarSizes(entry.substr(kEntryBytes + nameBytes, extraBytes), member))
      broken("the sizes of '" + excerpt(member.name) + "' are missing");
    if (!names.insert(member.name).second)
      broken("two members are called '" + excerpt(member.name) + "'");
    members_.push_back(std::move(member));
    next += entryBytes;
  }
}

ByteInput ZipArchive::open(const ZipMember &member) const {
  const std::string name = fmt::format("{}: '{}'", path_, excerpt(member.name));
  if ((member.flags & kEncrypted) != 0)
    fail(ErrorKind::BadInput, "{} is encrypted, mpf reads plain members", name);
  const std::string header = bytesAt(member.headerAt, kHeaderBytes);
  if (!header.starts_with(kHeaderMark))
    broken("'" + excerpt(member.name) + "' is not where its directory says");
  const uint64_t begin =
      member.headerAt + kHeaderBytes + number16(header, 26) + number16(header, 28);
  if (begin > sizeBytes_ || member.packedBytes > sizeBytes_ - begin)
    broken("'" + excerpt(member.name) + "' lies behind its end");
  auto stream = std::make_shared<ZipMemberStream>(file_, member, begin, name);
  return {name, [stream](char *into, size_t size) { return stream->read(into, size); },
          member.bytes};
}

} // namespace mpf
