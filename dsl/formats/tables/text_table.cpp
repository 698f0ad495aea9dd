#include "dsl/formats/tables/text_table.h"

#include "dsl/formats/numbers/plain_decimal.h"
#include "dsl/support/numbers/table_number.h"
#include "dsl/syntax/spelling.h"

#include <charconv>
#include <cmath>

namespace mpf {

namespace {

/// The most errors reported: a file of another kind has an error in each cell.
constexpr size_t kMostErrors = 3;

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

class TextTableParser {
public:
  TextTableParser(std::shared_ptr<const SourceBuffer> text, bool commas, uint64_t maxEntries,
                  Diagnostics &diagnostics)
      : text_(std::move(text)), commas_(commas), maxEntries_(maxEntries), diagnostics_(diagnostics),
        begin_(text_->text().data()), end_(begin_ + text_->text().size()) {}

  std::optional<TableFile> parse() {
    for (at_ = begin_; at_ != end_ && !diagnostics_.full();) {
      parseLine();
      if (at_ != end_)
        ++at_; // the line feed
    }
    if (entries_ > maxEntries_)
      diagnostics_.error(placeOf(end_, end_), "the file has {} numbers, at most {} are wanted here",
                         entries_, maxEntries_);
    if (diagnostics_.hasErrors())
      return std::nullopt;
    const bool flat = ragged_ || rows_ <= 1 || columns_ == 1;
    table_.shape = flat ? std::vector{entries_} : std::vector{rows_, columns_};
    return std::move(table_);
  }

private:
  SourcePlace placeOf(const char *from, const char *to) const {
    return {text_, {static_cast<uint32_t>(from - begin_), static_cast<uint32_t>(to - begin_)}};
  }
  bool atLineEnd() const { return at_ == end_ || *at_ == '\n' || *at_ == '#'; }
  void skipBlanks() {
    while (at_ != end_ && isBlank(*at_))
      ++at_;
  }

  /// Leaves at_ on the line feed or at the end of the text.
  void parseLine() {
    const char *lineBegin = at_;
    skipBlanks();
    if (!atLineEnd()) {
      uint64_t columns = 0;
      for (bool more = true; more && !diagnostics_.full(); ++columns)
        more = commas_ ? parseCsvCell(columns) : parseWord();
      endRow(columns, lineBegin);
    }
    while (at_ != end_ && *at_ != '\n')
      ++at_;
  }

  void endRow(uint64_t columns, const char *lineBegin) {
    if (rows_++ == 0) {
      columns_ = columns;
    } else if (columns != columns_) {
      ragged_ = true;
      if (commas_)
        diagnostics_.error(placeOf(lineBegin, at_), "row {} has {} cells, the first row has {}",
                           rows_, columns, columns_);
    }
  }

  /// Each takes one cell and returns whether another follows on the line.
  bool parseWord() {
    parseNumber();
    skipBlanks();
    return !atLineEnd();
  }
  bool parseCsvCell(uint64_t column) {
    skipBlanks();
    if (atLineEnd() || *at_ == ',')
      diagnostics_.error(placeOf(at_, at_), "cell {} of row {} is empty, a number is needed",
                         column + 1, rows_ + 1);
    else
      parseNumber();
    skipBlanks();
    if (atLineEnd())
      return false;
    const bool comma = *at_ == ',';
    if (!comma)
      diagnostics_.error(placeOf(at_, at_ + 1), "expected ',' or the end of row {} behind cell {}",
                         rows_ + 1, column + 1);
    at_ += comma;
    return comma;
  }

  bool endsCell(const char *at) const {
    return at == end_ || *at == '\n' || isBlank(*at) || *at == '#' || (commas_ && *at == ',');
  }

  void parseNumber() {
    double value = 0;
    const char *plainEnd = scanPlainDecimal(at_, end_, value);
    if (plainEnd != nullptr && endsCell(plainEnd)) {
      at_ = plainEnd;
      keep(value);
      return;
    }
    const auto [after, status] = std::from_chars(at_, end_, value);
    if (status == std::errc() && endsCell(after) && !std::isnan(value)) [[likely]] {
      at_ = after;
      keep(value);
      return;
    }
    const char *begin = at_;
    while (!endsCell(at_))
      ++at_;
    const std::string_view cell(begin, static_cast<size_t>(at_ - begin));
    using Kind = TableNumber::Kind;
    const TableNumber number = readTableNumber(cell);
    if (number.kind == Kind::Plain)
      return keep(number.nearest); // a leading '+', or more zeros than a double shows
    if (number.kind == Kind::Far) {
      table_.far.push_back({table_.values.size(), number.far});
      return keep(0);
    }
    std::string hint;
    if (rows_ == 0 && commas_)
      hint = "a table file has no header line";
    diagnostics_.report({Severity::Error, placeOf(begin, at_),
                         fmt::format("expected a number, found '{}'", excerpt(cell)),
                         std::move(hint)});
  }

  void keep(double value) {
    if (entries_++ < maxEntries_)
      table_.values.push_back(value);
  }

  std::shared_ptr<const SourceBuffer> text_;
  bool commas_;
  uint64_t maxEntries_;
  Diagnostics &diagnostics_;
  const char *begin_, *end_;
  const char *at_ = nullptr;
  uint64_t entries_ = 0; ///< numbers in the file, kept or not
  uint64_t rows_ = 0, columns_ = 0;
  bool ragged_ = false;
  TableFile table_;
};

} // namespace

std::optional<TableFile> readTextTable(std::shared_ptr<const SourceBuffer> text, bool commas,
                                       uint64_t maxEntries, Diagnostics &diagnostics) {
  Diagnostics found(kMostErrors);
  std::optional<TableFile> table =
      TextTableParser(std::move(text), commas, maxEntries, found).parse();
  for (const Diagnostic &problem : found.all())
    diagnostics.report(problem);
  if (found.full())
    diagnostics.note(found.all().back().place,
                     "more errors follow in this file, they are not shown");
  return table;
}

} // namespace mpf
