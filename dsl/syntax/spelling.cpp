#include "dsl/syntax/spelling.h"

#include "dsl/syntax/token.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace mpf {

namespace {

std::optional<int> hexDigit(char c) {
  if (isDigit(c))
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return std::nullopt;
}

/// Returns the length of the UTF-8 sequence at text[at], or 0: no overlong forms, surrogates, or
/// code points past U+10FFFF (RFC 3629, section 4).
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

std::string quoted(std::string_view text, char quote) {
  std::string spelled(1, quote);
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    const size_t length = utf8Length(text, at);
    if (c == quote || c == '\\')
      spelled += {'\\', c};
    else if (c == '\n')
      spelled += "\\n";
    else if (c == '\t')
      spelled += "\\t";
    else if (c == '\r')
      spelled += "\\r";
    else if (length == 0 || static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      spelled += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      spelled += text.substr(at, length);
    at += std::max<size_t>(length, 1);
  }
  return spelled + quote;
}

} // namespace

bool isNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool isNameChar(char c) { return isNameStart(c) || isDigit(c); }

bool isPlainName(std::string_view text) {
  return !text.empty() && isNameStart(text.front()) && std::ranges::all_of(text, isNameChar) &&
         !reservedWord(text) && !firstInvalidUtf8(text);
}

bool isSpelledOtherwise(double number, std::string_view spelled) {
  const bool isPlain = spelled.find_first_not_of("0123456789") == std::string_view::npos &&
                       (spelled.front() != '0' || spelled.size() == 1);
  return !isPlain && number == std::floor(number);
}

std::string spellName(std::string_view name) {
  return isPlainName(name) ? std::string(name) : quoted(name, '`');
}

std::string spellString(std::string_view text) { return quoted(text, '"'); }

std::string unspell(std::string_view spelled) {
  if (spelled.empty() || (spelled.front() != '`' && spelled.front() != '"'))
    return std::string(spelled);
  const bool closed = spelled.size() > 1 && spelled.back() == spelled.front();
  const std::string_view body = spelled.substr(1, spelled.size() - (closed ? 2 : 1));
  std::string text;
  for (size_t at = 0; at < body.size(); ++at) {
    if (body[at] != '\\' || at + 1 == body.size()) {
      text += body[at];
      continue;
    }
    const char escape = body[++at];
    if (escape == 'x' && at + 2 < body.size() && hexDigit(body[at + 1]) && hexDigit(body[at + 2])) {
      text += static_cast<char>(*hexDigit(body[at + 1]) * 16 + *hexDigit(body[at + 2]));
      at += 2;
    } else {
      text += escape == 'n' ? '\n' : escape == 't' ? '\t' : escape == 'r' ? '\r' : escape;
    }
  }
  return text;
}

std::optional<size_t> firstInvalidUtf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const size_t length = utf8Length(text, at);
    if (length == 0)
      return at;
    at += length;
  }
  return std::nullopt;
}

std::string excerpt(std::string_view text, size_t maxBytes) {
  std::string shown;
  for (size_t at = 0; at < text.size();) {
    const size_t length = utf8Length(text, at);
    if (shown.size() + std::max<size_t>(length, 1) > maxBytes)
      return shown + "...";
    const auto byte = static_cast<unsigned char>(text[at]);
    if (length == 0 || byte < 0x20 || byte == 0x7F)
      shown += '?';
    else
      shown += text.substr(at, length);
    at += std::max<size_t>(length, 1);
  }
  return shown;
}

std::string excerptList(std::span<const std::string> texts) {
  constexpr size_t kMostListed = 20;
  std::string list;
  for (size_t i = 0; i < std::min(texts.size(), kMostListed); ++i)
    list += fmt::format("{}{}", i == 0 ? "" : ", ", excerpt(texts[i], 80));
  if (texts.size() > kMostListed)
    list += fmt::format(" and {} more", texts.size() - kMostListed);
  return list;
}

} // namespace mpf
