#include "dsl/formats/cases/csv_records.h"

#include "dsl/formats/cases/csv_cells.h"
#include "dsl/formats/cases/csv_marks.h"

#include <cstdint>
#include <cstring>

namespace mpf {

namespace {

const char *find(char c, const char *from, const char *end) {
  return static_cast<const char *>(std::memchr(from, c, static_cast<size_t>(end - from)));
}

/// Whether the quote at `quote` starts a cell. The text from `from` on is outside of quotes;
/// `isRow`: a row starts at `from`.
bool startsCell(const char *from, const char *quote, bool isRow) {
  while (quote != from && isCellBlank(quote[-1]))
    --quote;
  return quote == from ? isRow : quote[-1] == ',';
}

enum class Closing { Proper, Broken, Unknown };

struct ClosedCell {
  Closing closing = Closing::Unknown;
  const char *behind = nullptr; ///< the byte behind the closing quote, if there is one
};

/// Finds the end of the quoted cell whose text starts at `text`.
ClosedCell closeOf(const char *text, const char *end) {
  for (;;) {
    const char *const quote = text == end ? nullptr : find('"', text, end);
    if (quote == nullptr)
      return {};
    if (quote + 1 != end && quote[1] == '"') {
      text = quote + 2;
      continue;
    }
    const char *next = quote + 1;
    while (next != end && isCellBlank(*next))
      ++next;
    if (next != end && *next == '\r')
      ++next;
    if (next == end)
      return {Closing::Unknown, quote + 1};
    const bool isEnd = *next == '\n' || (*next == ',' && next[-1] != '\r');
    return {isEnd ? Closing::Proper : Closing::Broken, quote + 1};
  }
}

/// Returns a mask: bit i is set if an odd number of bits up to i is set.
uint64_t prefixParity(uint64_t bits) {
  for (unsigned shift = 1; shift < 64; shift *= 2)
    bits ^= bits << shift;
  return bits;
}

/// True if pairing the quotes of [begin, end) in order proves that no line feed is inside a cell.
/// Each opening quote must follow a comma, a line feed, or a quote (two quotes are one of the
/// cell).
bool allLinesEndRows(const char *begin, const char *end) {
  uint64_t openBefore = 0, mayOpenBefore = 1;
  for (const char *at = begin; at < end; at += 64) {
    const uint64_t known = end - at >= 64 ? ~uint64_t{0} : (uint64_t{1} << (end - at)) - 1;
    const uint64_t quotes = marksOf<'"'>(at) & known, lines = marksOf<'\n'>(at) & known;
    const uint64_t mayOpen = marksOf<','>(at) | lines | quotes;
    const uint64_t inside = prefixParity(quotes) ^ openBefore; // includes the opening quote
    if ((inside & lines) != 0 || (quotes & inside & ~(mayOpen << 1 | mayOpenBefore)) != 0)
      return false;
    openBefore = 0 - (inside >> 63);
    mayOpenBefore = mayOpen >> 63;
  }
  return true;
}

} // namespace

const char *endOfRow(const char *row, const char *end, bool isAll) {
  const char *lineFeed = find('\n', row, end);
  for (const char *at = row; lineFeed != nullptr;) {
    const char *const quote = find('"', at, lineFeed);
    if (quote == nullptr)
      return lineFeed + 1;
    const bool opens = startsCell(at, quote, at == row);
    at = quote + 1;
    if (!opens)
      continue;
    const ClosedCell cell = closeOf(at, end);
    if (cell.behind != nullptr && cell.behind <= lineFeed) {
      at = cell.behind;
      continue;
    }
    if (cell.closing == Closing::Unknown && !isAll)
      return nullptr;
    if (cell.closing != Closing::Proper)
      return lineFeed + 1;
    at = cell.behind;
    lineFeed = find('\n', at, end);
  }
  return nullptr;
}

const char *lastRowEnd(const char *begin, const char *end) {
  const auto size = static_cast<size_t>(end - begin);
  const auto *last = static_cast<const char *>(::memrchr(begin, '\n', size));
  if (last == nullptr || find('"', begin, last) == nullptr || allLinesEndRows(begin, last + 1))
    return last == nullptr ? nullptr : last + 1;
  const char *row = begin;
  while (row != end) {
    const char *const behind = endOfRow(row, end, false);
    if (behind == nullptr)
      break;
    row = behind;
  }
  return row == begin ? nullptr : row;
}

CsvRowsEnd endOfRows(const char *begin, const char *end, size_t most) {
  size_t rows = 0;
  for (const char *row = begin; row != end;) {
    const char *const behind = endOfRow(row, end, true);
    const auto length = behind - 1 - row;
    const bool isRow = length > 1 || (length == 1 && *row != '\r');
    if (isRow && rows == most)
      return {row, rows};
    rows += isRow;
    row = behind;
  }
  return {end, rows};
}

} // namespace mpf
