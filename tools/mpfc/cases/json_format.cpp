// Converts the rows of the CSV to JSON; cells that are numbers stay unchanged.
#include "dsl/formats/cases/csv_cells.h"
#include "dsl/formats/cases/csv_records.h"
#include "dsl/support/json_text.h"
#include "tools/mpfc/cases/row_format.h"

#include <cstdint>
#include <fmt/format.h>
#include <string_view>

namespace mpf::driver {

namespace {

constexpr size_t kReadableBytes = 64; ///< behind the rows, for endOfRow and CsvCells

enum class CellKind : uint8_t { Number, Label, Text };

class JsonLinesFormat final : public RowFormat {
public:
  explicit JsonLinesFormat(const std::vector<AnswerGroup> &columns) : rows_(csvFormat(columns)) {
    for (const AnswerGroup &group : columns)
      for (size_t i = 0; i < group.names.size(); ++i)
        cells_.push_back(
            {fmt::format("{}{}: ", cells_.empty() ? "{" : ", ", JsonText(group.names[i]).dump(-1)),
             kindOf(group, i)});
  }

  std::string head(uint64_t) const override { return {}; }
  bool headCountsRows() const override { return false; }

  void appendRows(const CaseJob &job, std::string &text) const override {
    std::string rows;
    rows_->appendRows(job, rows);
    const size_t size = rows.size();
    rows.append(kReadableBytes, '\0');
    const char *const end = rows.data() + size;
    for (const char *row = rows.data(); row != end;) {
      const char *const next = endOfRow(row, end, true);
      appendRow(std::string_view(row, static_cast<size_t>(next - row) - 1), text);
      row = next;
    }
  }

private:
  struct Cell {
    std::string key; ///< with the punctuation before and after it
    CellKind kind;
  };

  static CellKind kindOf(const AnswerGroup &group, size_t column) {
    if (group.content == AnswerContent::Kept)
      return CellKind::Text;
    const bool isLabel = group.content == AnswerContent::States && !group.labels[column].empty();
    return isLabel ? CellKind::Label : CellKind::Number;
  }

  void appendRow(std::string_view row, std::string &text) const {
    CsvCells cells(row);
    CsvCell cell;
    for (const auto &[key, kind] : cells_) {
      cells.next(cell);
      text += key;
      appendValue(cell.text, kind, text);
    }
    text += cells_.empty() ? "{}\n" : "}\n";
  }

  /// Whether a whole number is above 2^53: most readers keep 53 bits.
  static bool isLongWhole(std::string_view cell) {
    constexpr std::string_view kGreatest = "9007199254740992";
    return cell.find_first_not_of("0123456789") == std::string_view::npos &&
           (cell.size() > kGreatest.size() ||
            (cell.size() == kGreatest.size() && cell > kGreatest));
  }

  /// Writes a number that no double holds, and an infinite one, as text.
  static void appendValue(std::string_view cell, CellKind kind, std::string &text) {
    if (cell.empty() && kind != CellKind::Text)
      text += "null";
    else if (kind == CellKind::Number &&
             cell.find_first_not_of("0123456789+-.e") == std::string_view::npos &&
             !isLongWhole(cell))
      text += cell;
    else
      text += JsonText(cell).dump(-1);
  }

  const std::unique_ptr<RowFormat> rows_;
  std::vector<Cell> cells_;
};

} // namespace

std::unique_ptr<RowFormat> jsonLinesFormat(const std::vector<AnswerGroup> &columns) {
  return std::make_unique<JsonLinesFormat>(columns);
}

} // namespace mpf::driver
