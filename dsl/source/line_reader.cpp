#include "dsl/source/line_reader.h"

#include "dsl/support/number_text.h"

namespace mpf {

namespace {
bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
} // namespace

LineReader::LineReader(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics)
    : buffer_(std::move(buffer)), diagnostics_(diagnostics) {}

bool LineReader::next() {
  const std::string_view text = buffer_->text();
  while (offset_ < text.size()) {
    const size_t start = offset_;
    const size_t newline = text.find('\n', start);
    const size_t end = newline == std::string_view::npos ? text.size() : newline;
    offset_ = end + 1;
    splitLine(text.substr(start, end - start), static_cast<uint32_t>(start));
    if (!words_.empty()) {
      position_ = 1;
      last_ = words_.front().range;
      return true;
    }
  }
  return false;
}

void LineReader::splitLine(std::string_view line, uint32_t start) {
  words_.clear();
  size_t at = 0;
  while (at < line.size()) {
    if (isBlank(line[at])) {
      ++at;
      continue;
    }
    if (line[at] == '#')
      return;
    Word word;
    word.range.begin = start + static_cast<uint32_t>(at);
    bool quoted = false;
    // A word may hold quoted stretches anywhere ("name=\"a b\""), so that keys can carry any text.
    for (; at < line.size() && (quoted || (!isBlank(line[at]) && line[at] != '#')); ++at) {
      if (line[at] == '"') {
        quoted = !quoted;
        word.quoted = true;
      } else if (quoted && line[at] == '\\' && at + 1 < line.size()) {
        ++at;
        word.text += line[at] == 'n' ? '\n' : line[at];
      } else {
        word.text += line[at];
      }
    }
    word.range.end = start + static_cast<uint32_t>(at);
    if (quoted)
      diagnostics_.error({buffer_, word.range}, "quoted text does not end on its line");
    words_.push_back(std::move(word));
  }
}

SourcePlace LineReader::here() const { return {buffer_, last_}; }

void LineReader::expected(std::string_view what) {
  if (const Word *word = peek())
    diagnostics_.error({buffer_, word->range}, "expected {}, found '{}'", what,
                       std::string_view(word->text).substr(0, 60));
  else
    diagnostics_.error({buffer_, {last_.end, last_.end}}, "expected {} before the end of the line",
                       what);
}

std::optional<std::string> LineReader::takeWord(std::string_view what) {
  const Word *word = peek();
  if (!word) {
    expected(what);
    return std::nullopt;
  }
  last_ = word->range;
  ++position_;
  return word->text;
}

std::optional<uint64_t> LineReader::takeUnsigned(std::string_view what, uint64_t max) {
  const Word *word = peek();
  const auto value = word ? parseUnsigned(word->text) : std::nullopt;
  if (!value || *value > max) {
    if (value)
      diagnostics_.error({buffer_, word->range}, "{} is {}, the largest allowed is {}", what,
                         *value, max);
    else
      expected(what);
    return std::nullopt;
  }
  last_ = word->range;
  ++position_;
  return value;
}

std::optional<double> LineReader::takeDouble(std::string_view what) {
  const Word *word = peek();
  const auto value = word ? parseDouble(word->text) : std::nullopt;
  if (!value) {
    expected(what);
    return std::nullopt;
  }
  last_ = word->range;
  ++position_;
  return value;
}

bool LineReader::acceptLiteral(std::string_view literal) {
  const Word *word = peek();
  if (!word || word->quoted || word->text != literal)
    return false;
  last_ = word->range;
  ++position_;
  return true;
}

bool LineReader::nextHasKey(std::string_view key) const {
  const Word *word = peek();
  return word && word->text.size() > key.size() && word->text.starts_with(key) &&
         word->text[key.size()] == '=';
}

bool LineReader::takeLiteral(std::string_view literal) {
  if (acceptLiteral(literal))
    return true;
  expected(fmt::format("'{}'", literal));
  return false;
}

std::optional<std::string> LineReader::takeKey(std::string_view key) {
  const Word *word = peek();
  if (!word || word->text.size() <= key.size() || !word->text.starts_with(key) ||
      word->text[key.size()] != '=') {
    expected(fmt::format("'{}=...'", key));
    return std::nullopt;
  }
  last_ = word->range;
  ++position_;
  return word->text.substr(key.size() + 1);
}

std::optional<uint64_t> LineReader::takeUnsignedKey(std::string_view key, uint64_t max) {
  const auto text = takeKey(key);
  if (!text)
    return std::nullopt;
  const auto value = parseUnsigned(*text);
  if (value && *value <= max)
    return value;
  diagnostics_.error(here(), "{}= needs a whole number up to {}, found '{}'", key, max, *text);
  return std::nullopt;
}

std::optional<double> LineReader::takeDoubleKey(std::string_view key) {
  const auto text = takeKey(key);
  if (!text)
    return std::nullopt;
  const auto value = parseDouble(*text);
  if (!value)
    diagnostics_.error(here(), "{}= needs a number, found '{}'", key, *text);
  return value;
}

bool LineReader::expectEndOfLine() {
  if (atEndOfLine())
    return true;
  expected("the end of the line");
  return false;
}

std::string commentText(std::string text) {
  for (char &c : text)
    if (c == '\n' || c == '\r')
      c = ' ';
  return text;
}

std::string quoteWord(std::string_view text) {
  const bool plain = !text.empty() && text.find_first_of(" \t\r\n\"#\\=") == std::string_view::npos;
  if (plain)
    return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      quoted += '\\';
    if (c == '\n')
      quoted += "\\n";
    else
      quoted += c;
  }
  return quoted + '"';
}

} // namespace mpf
