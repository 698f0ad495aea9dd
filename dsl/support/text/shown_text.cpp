#include "dsl/support/text/shown_text.h"

#include <algorithm>
#include <cstdint>

namespace mpf {

namespace {

uint32_t codePoint(std::string_view sequence) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(sequence[i]); };
  if (sequence.size() == 1)
    return byte(0);
  uint32_t code = byte(0) & (0x7Fu >> sequence.size());
  for (size_t i = 1; i < sequence.size(); ++i)
    code = code << 6 | (byte(i) & 0x3Fu);
  return code;
}

} // namespace

size_t utf8Length(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) -> unsigned {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
  };
  const auto continues = [&](size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  const unsigned lead = byte(0);
  if (lead < 0x80)
    return 1;
  if (lead >= 0xC2 && lead <= 0xDF)
    return continues(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const bool inRange = (lead != 0xE0 || byte(1) >= 0xA0) && (lead != 0xED || byte(1) <= 0x9F);
    return inRange && continues(1) && continues(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const bool inRange = (lead != 0xF0 || byte(1) >= 0x90) && (lead != 0xF4 || byte(1) <= 0x8F);
    return inRange && continues(1) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

bool isControl(std::string_view text, size_t at) {
  const size_t length = utf8Length(text, at);
  if (length == 0)
    return true;
  const uint32_t code = codePoint(text.substr(at, length));
  return code < 0x20 || (code >= 0x7F && code <= 0x9F) || code == 0x061C || code == 0x200E ||
         code == 0x200F || (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

bool isPlain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7F; });
}

std::string withoutControls(std::string_view text, std::string_view kept) {
  if (isPlain(text))
    return std::string(text);
  std::string shown;
  shown.reserve(text.size());
  forEachShown(text, kept, [&shown](size_t, std::string_view character) { shown += character; });
  return shown;
}

} // namespace mpf
