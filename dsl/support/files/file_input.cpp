#include "dsl/support/files/file_input.h"

#include "dsl/support/check.h"
#include "dsl/support/files/lower_case.h"
#include "dsl/support/files/raw_file.h"
#include "dsl/support/files/unpacker.h"
#include "dsl/support/number_text.h"
#include "dsl/support/system/growth_guard.h"

#include <memory>
#include <string_view>

namespace mpf {

namespace {

constexpr size_t kChunkBytes = size_t{1} << 20;

/// Limits of a plausible file. A bomb unpacks to as much as memory holds. Published networks of
/// repeated tables are packed up to 1200-fold too, but they are not that large.
constexpr uint64_t kPlausibleUnpackedBytes = uint64_t{256} << 20;
constexpr uint64_t kPlausibleRatio = 500;

void checkUnpacked(const std::string &path, uint64_t packed, uint64_t unpacked, uint64_t maxBytes) {
  if (unpacked > maxBytes)
    fail(ErrorKind::BadInput, "{}: unpacks to more than {}, the limit for such a file", path,
         formatBytes(maxBytes));
  checkUnpackedBytes(path, packed, unpacked);
}

std::string unpacked(const std::string &path, std::string contents, uint64_t maxBytes) {
  const std::unique_ptr<Unpacker> unpacker = unpackerFor(contents, path);
  if (unpacker == nullptr)
    return contents;
  std::string out;
  GrowthGuard guard(path);
  std::string_view packed = contents;
  for (bool ended = false; !ended;) {
    guard.mayGrow(out);
    const size_t old = out.size();
    out.resize(old + kChunkBytes);
    const Unpacker::Step step = unpacker->step(packed, true, out.data() + old, kChunkBytes);
    ended = step.ended;
    out.resize(old + step.written);
    checkUnpacked(path, contents.size(), out.size(), maxBytes);
  }
  return out;
}

} // namespace

void checkUnpackedBytes(const std::string &name, uint64_t packed, uint64_t unpacked) {
  if (unpacked > kPlausibleUnpackedBytes && unpacked / kPlausibleRatio > packed)
    fail(ErrorKind::BadInput,
         "{}: its {} unpack to more than {} and more than {} times as much, as decompression bombs "
         "do; unpack it yourself if it is none",
         name, formatBytes(packed), formatBytes(kPlausibleUnpackedBytes), kPlausibleRatio);
}

std::string readFile(const std::string &path, uint64_t maxBytes) {
  return unpacked(path, readRawFile(path, maxBytes), maxBytes);
}

void refuseUtf16(const std::string &path, std::string_view start) {
  const auto isZero = [&](size_t at) { return at < start.size() && start[at] == '\0'; };
  // Texts begin with ASCII characters. UTF-16 encodes each of them with a zero byte.
  const bool hasMark = start.starts_with("\xff\xfe") || start.starts_with("\xfe\xff");
  const bool isLittle = isZero(1) && isZero(3) && !isZero(0) && !isZero(2);
  const bool isBig = isZero(0) && isZero(2) && !isZero(1) && !isZero(3);
  if (start.size() >= 4 ? hasMark || isLittle || isBig : hasMark)
    fail(ErrorKind::BadInput,
         "{}: this text is UTF-16, mpf reads UTF-8: convert it, for instance with iconv -f UTF-16 "
         "-t UTF-8",
         path);
}

std::string readTextFile(const std::string &path, uint64_t maxBytes) {
  std::string text = readFile(path, maxBytes);
  refuseUtf16(path, text);
  return text;
}

std::string readStdin(uint64_t maxBytes) {
  return unpacked("standard input", readRawStdin(maxBytes), maxBytes);
}

std::string withoutCompressionSuffix(const std::string &path) {
  for (const std::string_view suffix : kCompressionEndings)
    if (path.size() > suffix.size() && hasEnding(path, suffix))
      return path.substr(0, path.size() - suffix.size());
  return path;
}

} // namespace mpf
