#include "dsl/support/files/raw_file.h"

#include "dsl/support/check.h"
#include "dsl/support/files/raw_input.h"
#include "dsl/support/number_text.h"
#include "dsl/support/system/growth_guard.h"

#include <algorithm>
#include <array>

namespace mpf {

namespace {

constexpr size_t kPieceBytes = size_t{64} << 10;

std::string readAll(RawInput &input, uint64_t maxBytes) {
  const bool isDevice = input.isDevice();
  const uint64_t limit = isDevice ? std::min(maxBytes, kMaxDeviceBytes) : maxBytes;
  std::string contents;
  if (S_ISREG(input.status().st_mode)) { // a text that grows takes twice as much
    const uint64_t size = std::min(static_cast<uint64_t>(input.status().st_size), limit);
    requireMemory(input.name(), size);
    contents.reserve(size);
  }
  GrowthGuard guard(input.name());
  std::array<char, kPieceBytes> piece; // uninitialised: a small file touches its own bytes alone
  while (const size_t got = input.read(piece.data(), piece.size())) {
    guard.mayGrow(contents);
    contents.append(piece.data(), got);
    if (contents.size() > limit)
      fail(ErrorKind::BadInput, "{}: holds more than {}, the limit for such a {}", input.name(),
           formatBytes(limit), isDevice ? "device" : "file");
  }
  return contents;
}

} // namespace

std::string readRawFile(const std::string &path, uint64_t maxBytes) {
  RawInput input(path);
  const auto size = static_cast<uint64_t>(input.status().st_size);
  if (S_ISREG(input.status().st_mode) && size > maxBytes)
    fail(ErrorKind::BadInput, "{}: holds {}, more than {}, the limit for such a file", path,
         formatBytes(size), formatBytes(maxBytes));
  return readAll(input, maxBytes);
}

std::string readRawStdin(uint64_t maxBytes) {
  RawInput input = RawInput::standardInput();
  return readAll(input, maxBytes);
}

} // namespace mpf
