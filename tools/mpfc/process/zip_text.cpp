#include "tools/mpfc/process/zip_text.h"

#include "dsl/support/check.h"

#include <cstdint>
#include <initializer_list>
#include <zlib.h>

namespace mpf::driver {

namespace {

/// Appends numbers in two or four bytes, the lowest first.
void append16(std::string &text, std::initializer_list<uint32_t> numbers) {
  for (const uint32_t number : numbers)
    for (const unsigned shift : {0U, 8U})
      text += static_cast<char>(number >> shift & 0xffU);
}
void append32(std::string &text, std::initializer_list<uint64_t> numbers) {
  for (const uint64_t number : numbers)
    append16(text, {static_cast<uint32_t>(number), static_cast<uint32_t>(number >> 16U)});
}

uint32_t checksum(const std::string &contents) {
  const auto *bytes = reinterpret_cast<const Bytef *>(contents.data());
  return static_cast<uint32_t>(::crc32_z(0, bytes, contents.size()));
}

} // namespace

std::string zipText(const std::vector<std::pair<std::string, std::string>> &members) {
  constexpr size_t kMostMembers = 65535;
  constexpr uint64_t kMostBytes = UINT32_MAX;
  constexpr uint32_t kVersion = 20, kUtf8Names = 0x800, kFirstDay = 0x21;
  std::string text, directory;
  for (const auto &[name, contents] : members) {
    const uint64_t begin = text.size();
    if (begin + contents.size() > kMostBytes || members.size() > kMostMembers)
      fail(ErrorKind::Unsupported, "an archive of {} arrays above 4 GiB is not written",
           members.size());
    if (name.size() > UINT16_MAX)
      fail(ErrorKind::Unsupported, "an archive's names have up to 65535 bytes, an array has {}",
           name.size());
    std::string head; // what local header and directory have in common
    append16(head, {kVersion, kUtf8Names, 0, 0, kFirstDay});
    append32(head, {checksum(contents), contents.size(), contents.size()});
    append16(head, {static_cast<uint32_t>(name.size()), 0});
    append32(text, {0x04034b50});
    text += head + name + contents;
    append32(directory, {0x02014b50});
    append16(directory, {kVersion});
    directory += head;
    append16(directory, {0, 0, 0});
    append32(directory, {0, begin});
    directory += name;
  }
  const uint64_t begin = text.size();
  text += directory;
  append32(text, {0x06054b50});
  const auto count = static_cast<uint32_t>(members.size());
  append16(text, {0, 0, count, count});
  append32(text, {directory.size(), begin});
  append16(text, {0});
  return text;
}

} // namespace mpf::driver
