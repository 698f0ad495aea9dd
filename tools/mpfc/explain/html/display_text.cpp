#include "tools/mpfc/explain/facts/facts.h"

namespace mpf {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD"; // U+FFFD
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";    // U+2026

/// Returns the bytes of the well-formed UTF-8 sequence at the start of `text` (RFC 3629: no
/// overlong forms, no surrogates, nothing above U+10FFFF); 0 if there is none.
size_t sequenceBytes(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80)
    return 1;
  const size_t count = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < count)
    return 0;
  for (size_t i = 1; i < count; ++i)
    if ((byte(i) & 0xC0) != 0x80)
      return 0;
  const unsigned second = byte(1);
  const bool bad = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
                   (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F);
  return bad ? 0 : count;
}

/// Whether a sequence is C0, delete, C1 or one of the bidirectional overrides U+202A..U+202E,
/// U+2066..U+2069. None of them is visible; some move a terminal's cursor or reverse the rest of a
/// line.
bool isControl(std::string_view sequence) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(sequence[i]); };
  if (sequence.size() == 1)
    return byte(0) < 0x20 || byte(0) == 0x7F;
  if (sequence.size() == 2)
    return byte(0) == 0xC2 && byte(1) < 0xA0;
  return sequence.size() == 3 && byte(0) == 0xE2 &&
         ((byte(1) == 0x80 && byte(2) >= 0xAA && byte(2) <= 0xAE) ||
          (byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9));
}

} // namespace

std::string displayText(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const size_t bytes = sequenceBytes(text);
    const std::string_view sequence = text.substr(0, bytes == 0 ? 1 : bytes);
    shown += bytes == 0 || isControl(sequence) ? kReplacement : sequence;
    text.remove_prefix(sequence.size());
  }
  return shown;
}

std::string elided(std::string_view text, size_t codePoints) {
  size_t points = 0, cut = 0;
  for (size_t i = 0; i < text.size(); ++points) {
    if (points + 1 == codePoints)
      cut = i; // room for the ellipsis
    const size_t bytes = sequenceBytes(text.substr(i));
    i += bytes == 0 ? 1 : bytes;
  }
  if (points <= codePoints)
    return std::string(text);
  return std::string(text.substr(0, cut)) + std::string(kEllipsis);
}

} // namespace mpf
