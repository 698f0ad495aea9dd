#include "dsl/syntax/spelling.h"

#include "dsl/support/text/shown_text.h"
#include "dsl/syntax/token.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
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
    else if (isControl(text, at))
      for (const char byte : text.substr(at, std::max<size_t>(length, 1)))
        spelled += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
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
         !reservedWord(text) && withoutControls(text) == text;
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
  constexpr uint64_t kHighBits = 0x8080808080808080;
  for (size_t at = 0; at < text.size();) {
    uint64_t eight = kHighBits; // most texts are ASCII: eight characters at once
    if (text.size() - at >= sizeof eight)
      std::memcpy(&eight, text.data() + at, sizeof eight);
    if ((eight & kHighBits) == 0) {
      at += sizeof eight;
      continue;
    }
    const size_t length = utf8Length(text, at);
    if (length == 0)
      return at;
    at += length;
  }
  return std::nullopt;
}

std::string excerpt(std::string_view text, size_t maxBytes) {
  if (text.size() <= maxBytes && isPlain(text))
    return std::string(text);
  std::string shown;
  for (size_t at = 0; at < text.size();) {
    const size_t length = utf8Length(text, at);
    if (shown.size() + std::max<size_t>(length, 1) > maxBytes)
      return shown + "...";
    if (isControl(text, at))
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
