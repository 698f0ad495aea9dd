#include "dsl/formats/cases/csv_cells.h"

#include <algorithm>

namespace mpf {

namespace {

constexpr size_t kReadableBytes = 8; ///< bytes behind a cell that may be read

} // namespace

size_t CsvCells::skipBlanks(size_t at) const {
  while (at < row_.size() && isCellBlank(row_[at]))
    ++at;
  return at;
}

bool CsvCells::next(CsvCell &cell) {
  if (at_ > row_.size())
    return false;
  cell.isBroken = false;
  const size_t start = at_;
  at_ = skipBlanks(at_);
  if (at_ < row_.size() && row_[at_] == '"') {
    takeQuoted(cell);
    cell.raw = row_.substr(cell.range.begin, cell.range.end - cell.range.begin);
    return true;
  }
  const size_t begin = at_, comma = std::min(row_.find(',', begin), row_.size());
  size_t end = comma;
  while (end > begin && isCellBlank(row_[end - 1]))
    --end;
  cell.text = row_.substr(begin, end - begin);
  cell.range = {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
  cell.raw = row_.substr(start, comma - start);
  at_ = comma + 1;
  return true;
}

void CsvCells::takeQuoted(CsvCell &cell) {
  const size_t begin = at_;
  size_t quote = row_.find('"', begin + 1);
  cell.text = row_.substr(begin + 1, quote - begin - 1);
  if (quote != std::string_view::npos && row_.substr(quote + 1).starts_with('"')) {
    unquoted_.clear();
    size_t from = begin + 1;
    while (quote != std::string_view::npos && row_.substr(quote + 1).starts_with('"')) {
      unquoted_ += row_.substr(from, quote + 1 - from);
      from = quote + 2;
      quote = row_.find('"', from);
    }
    unquoted_ += row_.substr(from, quote - from);
    const size_t size = unquoted_.size();
    unquoted_.append(kReadableBytes, '\0');
    cell.text = std::string_view(unquoted_).substr(0, size);
  }
  const bool isClosed = quote != std::string_view::npos;
  const size_t end = isClosed ? quote + 1 : row_.size();
  const size_t behind = skipBlanks(end);
  cell.range = {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
  cell.isBroken = !isClosed || (behind < row_.size() && row_[behind] != ',');
  at_ = std::min(row_.find(',', behind), row_.size()) + 1;
}

} // namespace mpf
