#include "dsl/formats/tables/csv_columns.h"

#include "dsl/formats/tables/choose_member.h"
#include "dsl/formats/tables/table_cell.h"
#include "dsl/formats/tables/text_table.h"
#include "dsl/support/files/byte_order_mark.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <limits>
#include <unordered_set>

namespace mpf {

namespace {

/// A place in the text, which moves cell by cell.
class CsvCursor {
public:
  CsvCursor(const std::shared_ptr<const SourceBuffer> &text, uint32_t at, Diagnostics &diagnostics)
      : buffer_(text), text_(text->text()), at_(at), diagnostics_(diagnostics) {}

  uint32_t at() const { return at_; }
  SourcePlace placeSince(uint32_t begin) const { return {buffer_, {begin, at_}}; }

  /// Skips empty lines and comments; false at the end of the text.
  bool toRow() {
    for (skipBlanks(); at_ < text_.size(); skipBlanks()) {
      if (!endsRow())
        return true;
      toNextLine();
    }
    return false;
  }
  /// Reads the cell here. `more`: another cell of the row follows. Returns false after reporting.
  bool take(CsvTableCell &cell, bool &more) {
    skipBlanks();
    const uint32_t begin = at_;
    cell.isQuoted = at_ < text_.size() && text_[at_] == '"';
    if (cell.isQuoted && !takeQuoted(cell))
      return false;
    if (!cell.isQuoted) {
      while (!endsRow() && text_[at_] != ',')
        ++at_;
      uint32_t end = at_;
      while (end > begin && isTableBlank(text_[end - 1]))
        --end;
      cell.text = text_.substr(begin, end - begin);
      cell.range = {begin, end};
    }
    skipBlanks();
    more = at_ < text_.size() && text_[at_] == ',';
    if (!more && !endsRow()) {
      diagnostics_.error(placeSince(begin), "expected ',' or the end of the row behind a cell in "
                                            "quotes");
      return false;
    }
    if (more)
      ++at_;
    else
      toNextLine();
    return true;
  }

private:
  bool endsRow() const { return at_ >= text_.size() || text_[at_] == '\n' || text_[at_] == '#'; }
  void skipBlanks() {
    while (at_ < text_.size() && isTableBlank(text_[at_]))
      ++at_;
  }
  void toNextLine() {
    at_ = static_cast<uint32_t>(std::min(text_.find('\n', at_), text_.size() - 1)) + 1;
  }
  bool takeQuoted(CsvTableCell &cell) {
    const uint32_t begin = at_++;
    unquoted_.clear();
    for (; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      if (text_[at_] == '"' && !text_.substr(at_ + 1).starts_with('"')) {
        cell.text = unquoted_;
        cell.range = {begin, ++at_};
        return true;
      }
      at_ += text_[at_] == '"';
      unquoted_ += text_[at_];
    }
    diagnostics_.error(placeSince(begin), "this quote is not closed in its line");
    return false;
  }

  const std::shared_ptr<const SourceBuffer> &buffer_;
  std::string_view text_;
  uint32_t at_;
  Diagnostics &diagnostics_;
  std::string unquoted_;
};

} // namespace

bool CsvColumns::readHeader(Diagnostics &diagnostics) {
  rowsAt_ =
      text_->text().starts_with(kByteOrderMark) ? static_cast<uint32_t>(kByteOrderMark.size()) : 0;
  CsvCursor cursor(text_, rowsAt_, diagnostics);
  std::vector<std::string> names;
  std::unordered_set<std::string> known;
  bool isHeader = false;
  CsvTableCell cell;
  bool more = cursor.toRow();
  firstRange_.begin = cursor.at();
  while (more) {
    if (!cursor.take(cell, more))
      return false;
    firstRange_.end = cell.range.end;
    isHeader = isHeader || cell.isQuoted || readTableCell(cell.text).kind == TableCell::Kind::Word;
    names.emplace_back(cell.text);
    if (isHeader && !known.insert(names.back()).second) {
      diagnostics.report({Severity::Error,
                          {text_, cell.range},
                          fmt::format("two columns are called '{}'", excerpt(names.back())),
                          fmt::format("{}; labels alone stand in a .txt file", kHeaderHint)});
      return false;
    }
    known.insert(names.back());
  }
  (isHeader ? header_ : firstNumbers_) = std::move(names);
  if (!isHeader)
    return true;
  rowsAt_ = cursor.at();
  return true;
}

bool CsvColumns::forEachCell(Diagnostics &diagnostics,
                             const std::function<void(size_t, const CsvTableCell &)> &take) const {
  CsvCursor cursor(text_, rowsAt_, diagnostics);
  size_t columns = header_.size();
  CsvTableCell cell;
  for (uint64_t row = 1; cursor.toRow() && !diagnostics.full(); ++row) {
    const uint32_t begin = cursor.at();
    size_t column = 0;
    for (bool more = true; more; ++column) {
      if (!cursor.take(cell, more))
        return false;
      if (column < columns || columns == 0)
        take(column, cell);
    }
    if (columns == 0)
      columns = column;
    if (column == columns)
      continue;
    diagnostics.error({text_, {begin, cell.range.end}}, "row {} has {} cells, the {} has {}", row,
                      column, header_.empty() ? "first row" : "header", columns);
    return false;
  }
  return !diagnostics.full();
}

std::optional<StoredArray> CsvColumns::numbers(std::span<const size_t> columns, uint64_t maxEntries,
                                               Diagnostics &diagnostics) const {
  Diagnostics found(kMostTextErrors);
  std::vector<size_t> placeOf(header_.size(), SIZE_MAX);
  for (size_t i = 0; i < columns.size(); ++i)
    placeOf[columns[i]] = i;
  StoredArray stored;
  std::vector<double> values;
  uint64_t rows = 0;
  const bool isRead = forEachCell(found, [&](size_t column, const CsvTableCell &cell) {
    rows += column == 0;
    if (placeOf[column] == SIZE_MAX || rows > maxEntries / columns.size())
      return;
    values.resize(rows * columns.size(), std::numeric_limits<double>::quiet_NaN());
    const uint64_t at = (rows - 1) * columns.size() + placeOf[column];
    const TableCell number = readTableCell(cell.text);
    values[at] = number.kind == TableCell::Kind::Missing ? values[at] : number.value;
    if (number.kind == TableCell::Kind::Word)
      found.error({text_, cell.range}, "expected a number, found '{}'", excerpt(cell.text));
    if (number.kind == TableCell::Kind::Missing && !stored.missing)
      stored.missing = {missingText(cell.text), {text_, cell.range}};
    if (number.kind == TableCell::Kind::Far) {
      stored.addFar(at, number.far, cell.text, {text_, cell.range});
      values[at] = 0;
    }
  });
  if (isRead && rows > maxEntries / columns.size())
    found.error({text_, {}},
                "the file has {} rows of {} numbers, at most {} numbers are wanted here", rows,
                columns.size(), maxEntries);
  diagnostics.append(found);
  if (found.hasErrors())
    return std::nullopt;
  stored.array.shape = {rows, columns.size()};
  stored.array.values = std::make_shared<const std::vector<double>>(std::move(values));
  return stored;
}

} // namespace mpf
