#include "dsl/formats/pedigree/word_reader.h"

#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"

#include <cmath>

namespace mpf {

bool WordReader::nextLine() {
  while (words_.nextLine()) {
    const bool isComment = words_.next().text.starts_with('#');
    words_.restartLine();
    if (!isComment)
      return true;
  }
  return false;
}

std::optional<PlacedText> WordReader::nextOfRecord(std::string_view what) {
  PlacedText word = words_.next();
  if (word.text.empty() && words_.nextLine())
    word = words_.next();
  if (!word.text.empty())
    return word;
  error(words_.end(), "the file ends where {} is expected", what);
  return std::nullopt;
}

std::optional<double> WordReader::number(std::string_view what, double lowest, double highest) {
  const std::optional<PlacedText> word = nextOfRecord(what);
  return word ? numberOf(*word, what, lowest, highest) : std::nullopt;
}

std::optional<uint64_t> WordReader::count(std::string_view what, uint64_t lowest,
                                          uint64_t highest) {
  const std::optional<PlacedText> word = nextOfRecord(what);
  return word ? countOf(*word, what, lowest, highest) : std::nullopt;
}

std::optional<double> WordReader::numberOf(const PlacedText &word, std::string_view what,
                                           double lowest, double highest) {
  const std::optional<double> value = parseDouble(word.text);
  if (value && *value >= lowest && *value <= highest)
    return value;
  if (value && !std::isnan(*value))
    error(word.range, "{} is {}, which is not from {} to {}", what, *value, lowest, highest);
  else
    error(word.range, "expected {}, found '{}'", what, excerpt(word.text));
  return std::nullopt;
}

std::optional<uint64_t> WordReader::countOf(const PlacedText &word, std::string_view what,
                                            uint64_t lowest, uint64_t highest) {
  const std::optional<uint64_t> value = parseUnsigned(word.text);
  if (value && *value >= lowest && *value <= highest)
    return value;
  if (value)
    error(word.range, "{} is {}, which is not from {} to {}", what, *value, lowest, highest);
  else
    error(word.range, "expected {}, found '{}'", what, excerpt(word.text));
  return std::nullopt;
}

} // namespace mpf
