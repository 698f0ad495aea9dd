#include "dsl/formats/tables/text_table.h"

#include "dsl/formats/tables/row_ends.h"
#include "dsl/formats/tables/table_cell.h"
#include "dsl/support/numbers/plain_decimal.h"
#include "dsl/support/numbers/table_number.h"
#include "dsl/syntax/spelling.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace mpf {

namespace {

class TextTableParser {
public:
  TextTableParser(std::shared_ptr<const SourceBuffer> text, bool commas, uint64_t maxEntries,
                  Diagnostics &diagnostics)
      : text_(std::move(text)), commas_(commas), maxEntries_(maxEntries), diagnostics_(diagnostics),
        begin_(text_->text().data()), end_(begin_ + text_->text().size()) {}

  std::optional<StoredArray> parse() {
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
    ArrayFile &array = table_.array;
    array.rowEnds = ends_.take();
    array.isRagged = !array.rowEnds.empty();
    array.shape = {ends_.rows()};
    if (!array.isRagged)
      array.shape.push_back(ends_.firstLength());
    array.values = std::make_shared<const std::vector<double>>(std::move(values_));
    return std::move(table_);
  }

private:
  SourcePlace placeOf(const char *from, const char *to) const {
    return {text_, {static_cast<uint32_t>(from - begin_), static_cast<uint32_t>(to - begin_)}};
  }
  bool atLineEnd() const { return at_ == end_ || *at_ == '\n' || *at_ == '#'; }
  void skipBlanks() {
    while (at_ != end_ && isTableBlank(*at_))
      ++at_;
  }

  /// Leaves at_ on the line feed or at the end of the text.
  void parseLine() {
    const char *lineBegin = at_;
    skipBlanks();
    ++line_;
    if (at_ == end_ || *at_ == '\n')
      emptyLine_ = emptyLine_ ? emptyLine_ : std::pair(line_, lineBegin);
    if (!atLineEnd()) {
      noteEmptyLine();
      uint64_t columns = 0;
      for (bool more = true; more && !diagnostics_.full(); ++columns)
        more = commas_ ? parseCsvCell(columns) : parseWord();
      endRow(columns, lineBegin);
    }
    while (at_ != end_ && *at_ != '\n')
      ++at_;
  }

  void noteEmptyLine() {
    if (emptyLine_ && !table_.emptyLine)
      table_.emptyLine = {fmt::format("line {} is empty, and the rows have different lengths: an "
                                      "empty row cannot be told from no row",
                                      emptyLine_->first),
                          placeOf(emptyLine_->second, emptyLine_->second)};
  }

  void endRow(uint64_t columns, const char *lineBegin) {
    ends_.add(columns, entries_);
    if (commas_ && columns != ends_.firstLength())
      diagnostics_.error(placeOf(lineBegin, at_), "row {} has {} cells, the first row has {}",
                         ends_.rows(), columns, ends_.firstLength());
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
      miss(at_, fmt::format("cell {} of row {} is empty, a number is needed", column + 1,
                            ends_.rows() + 1));
    else
      parseNumber();
    skipBlanks();
    if (atLineEnd())
      return false;
    const bool comma = *at_ == ',';
    if (!comma)
      diagnostics_.error(placeOf(at_, at_ + 1), "expected ',' or the end of row {} behind cell {}",
                         ends_.rows() + 1, column + 1);
    at_ += comma;
    return comma;
  }

  bool endsCell(const char *at) const {
    return at == end_ || *at == '\n' || isTableBlank(*at) || *at == '#' || (commas_ && *at == ',');
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
    if (status == std::errc() && endsCell(after) && !std::isnan(value) && !isBelowNormal(value))
        [[likely]] {
      at_ = after;
      keep(value);
      return;
    }
    const char *begin = at_;
    while (!endsCell(at_))
      ++at_;
    const std::string_view cell(begin, static_cast<size_t>(at_ - begin));
    const TableCell number = readTableCell(cell);
    switch (number.kind) {
    case TableCell::Kind::Number:
      return keep(number.value);
    case TableCell::Kind::Missing:
      return miss(begin, missingText(cell));
    case TableCell::Kind::Far:
      table_.addFar(values_.size(), number.far, cell, placeOf(begin, at_));
      return keep(0);
    case TableCell::Kind::Word:
      break;
    }
    diagnostics_.error(placeOf(begin, at_), "expected a number, found '{}'", excerpt(cell));
  }

  void keep(double value) {
    if (entries_++ < maxEntries_)
      values_.push_back(value);
  }
  void miss(const char *begin, std::string message) {
    if (!table_.missing)
      table_.missing = {std::move(message), placeOf(begin, at_)};
    keep(std::numeric_limits<double>::quiet_NaN());
  }

  std::shared_ptr<const SourceBuffer> text_;
  bool commas_;
  uint64_t maxEntries_;
  Diagnostics &diagnostics_;
  const char *begin_, *end_;
  const char *at_ = nullptr;
  uint64_t line_ = 0;                                          ///< from 1 on
  std::optional<std::pair<uint64_t, const char *>> emptyLine_; ///< number and start of the first
  uint64_t entries_ = 0;                                       ///< numbers in the file, kept or not
  RowEnds ends_;
  std::vector<double> values_;
  StoredArray table_;
};

} // namespace

std::optional<StoredArray> readTextTable(std::shared_ptr<const SourceBuffer> text, bool commas,
                                         uint64_t maxEntries, Diagnostics &diagnostics) {
  Diagnostics found(kMostTextErrors);
  std::optional<StoredArray> table =
      TextTableParser(std::move(text), commas, maxEntries, found).parse();
  diagnostics.append(found);
  return table;
}

} // namespace mpf
