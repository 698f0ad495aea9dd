#include "dsl/formats/cases/csv_cases.h"

#include "dsl/formats/cases/chunked_cases.h"
#include "dsl/formats/cases/columns/case_header.h"
#include "dsl/formats/cases/columns/missing_header.h"
#include "dsl/formats/cases/csv_cells.h"
#include "dsl/formats/cases/csv_lines.h"
#include "dsl/formats/cases/csv_records.h"
#include "dsl/formats/cases/csv_rows.h"
#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>
#include <vector>

namespace mpf {

namespace {

/// The number of bytes shown of a row that is too long.
constexpr size_t kShownBytes = 200;

class CsvReader final : public ChunkReader {
public:
  CsvReader(CsvLines lines, CsvRows rows)
      : lines_(std::move(lines)), rows_(std::move(rows)), linesBefore_(lines_.linesTaken()),
        likelyCount_(lines_.likelyRows()) {}

  const std::string &name() const override { return lines_.stream().name(); }
  const CaseSchema &schema() const override { return rows_.schema(); }
  std::optional<uint64_t> likelyCount() const override { return likelyCount_; }
  /// Drops the chunk of a cancelled stream: the text may end in the middle of a row.
  bool fetch(CaseChunk &chunk) override {
    return lines_.fetch(chunk, rows_.mostRows()) && !isCancelled_;
  }
  void cancel() override {
    isCancelled_ = true;
    lines_.stream().cancel();
  }

  void parse(CaseChunk &chunk, OnBadRow onBadRow) const override {
    if (!chunk.isTooLong)
      return rows_.parse(chunk, onBadRow);
    std::string start(chunk.bytes.data(), kShownBytes);
    chunk.size = 2; // a row that is bad for any header
    chunk.bytes.data()[0] = '"';
    chunk.bytes.data()[1] = '\n';
    rows_.parse(chunk, onBadRow);
    BadRow &row = chunk.bad.front();
    row.text = std::move(start);
    row.range = {0, kShownBytes};
    row.message = fmt::format("the row is longer than {}", formatBytes(kMaxRowBytes));
  }

  Diagnostic describe(const BadRow &row, uint64_t linesBefore) const override {
    const auto buffer = std::make_shared<const SourceBuffer>(
        name(), row.text, linesBefore_ + linesBefore + row.line + 1);
    return {Severity::Error, {buffer, row.range}, row.message, row.hint};
  }

  /// Returns the place of a row. Its text is read again, which pipes and packed files do not allow.
  CasePlace placeOf(const ChunkPlace &chunk, uint64_t row, const CaseField &field) const override {
    CasePlace place{fmt::format("row {}", chunk.firstCase + row + 1), 0, {}, 0, 0};
    const uint64_t firstLine = linesBefore_ + chunk.linesBefore + 1;
    if (lines_.stream().sizeBytes() == 0) {
      place.line = chunk.isDense ? firstLine + row : 0;
      return place;
    }
    std::string text(chunk.bytes, '\0');
    text.resize(lines_.stream().readAt(chunk.firstByte, text.data(), text.size()));
    text += '\n';
    const char *begin = text.data(), *const end = begin + text.size();
    for (uint64_t line = firstLine; begin != end;) {
      const char *const behind = endOfRow(begin, end, true);
      std::string_view here(begin, static_cast<size_t>(behind - 1 - begin));
      if (here.ends_with('\r'))
        here.remove_suffix(1);
      if (!here.empty() && row-- == 0) {
        place.line = line;
        place.text = here;
        break;
      }
      line += static_cast<uint64_t>(std::count(begin, behind, '\n'));
      begin = behind;
    }
    setRange(place, rows_.columnOf(field));
    return place;
  }

private:
  /// Sets the range of cell number `column`, or of the whole line if there is no such cell.
  static void setRange(CasePlace &place, size_t column) {
    place.end = static_cast<uint32_t>(place.text.size());
    std::string padded = place.text;
    padded.resize(place.text.size() + sizeof(uint64_t)); // CsvCells may read it
    CsvCells cells(std::string_view(padded).substr(0, place.text.size()));
    CsvCell cell;
    for (size_t c = 0; cells.next(cell); ++c)
      if (c == column) {
        place.begin = cell.range.begin;
        place.end = cell.range.end;
      }
  }

  CsvLines lines_;
  CsvRows rows_;
  std::atomic<bool> isCancelled_ = false;
  uint64_t linesBefore_; ///< lines of the header and empty lines before it
  std::optional<uint64_t> likelyCount_;
};

/// Returns a hint if the line seems to separate cells by semicolons or tabs, as spreadsheets may.
std::string separatorHint(std::string_view text) {
  if (text.find(',') != std::string_view::npos)
    return {};
  const std::string_view line = text.substr(0, text.find('`')); // names there hold any character
  const char *other = line.find(';') != std::string_view::npos    ? "semicolons"
                      : line.find('\t') != std::string_view::npos ? "tabs"
                                                                  : nullptr;
  return other == nullptr ? std::string()
                          : fmt::format("cells are separated by commas, not by {}", other);
}

/// Returns false after reporting a mark for missing values that is a state of a column's variable.
bool checkMarks(const CaseHeader &header, std::span<const ColumnName> names, const Model &model,
                const ColumnChoice &choice, Diagnostics &diagnostics) {
  bool isGood = true;
  for (size_t i = 0; i < names.size() && !choice.missing.empty(); ++i) {
    if (header.columns[i].cell != CaseCell::State)
      continue;
    const Variable &variable = model.variable(header.columns[i].variable);
    if (const std::string *mark = markOfState(variable, choice)) {
      diagnostics.error(names[i].place,
                        "'{}' is a state of '{}', so it cannot mean not observed "
                        "(--missing)",
                        excerpt(*mark), excerpt(variable.name));
      isGood = false;
    }
  }
  return isGood;
}

} // namespace

std::unique_ptr<CaseSource> openCsvCases(InputStream stream, const Model &model,
                                         Diagnostics &diagnostics, const ColumnChoice &choice) {
  CsvLines lines(std::move(stream));
  const std::string &name = lines.stream().name();
  const std::optional<CsvLines::Row> row = lines.takeRow();
  if (!row) {
    diagnostics.error({std::make_shared<const SourceBuffer>(name, ""), {0, 0}},
                      "the file is empty, its first row names the variables");
    return nullptr;
  }
  const auto buffer = std::make_shared<const SourceBuffer>(name, row->text, row->line);
  const size_t errorsBefore = diagnostics.errorCount();
  std::vector<ColumnName> names;
  CsvCells cells(buffer->text());
  for (CsvCell cell; cells.next(cell);) {
    names.push_back({std::string(cell.text), {buffer, cell.range}});
    if (cell.isBroken)
      diagnostics.error({buffer, cell.range},
                        "expected a closing quote, then ',' or the end of the line");
  }
  if (diagnostics.errorCount() != errorsBefore)
    return nullptr;
  if (const std::string hint = separatorHint(row->text); !hint.empty() && names.size() == 1) {
    const bool isName = std::ranges::any_of(
        model.variables, [&](const Variable &variable) { return variable.name == names[0].text; });
    if (!isName && !choice.keepsAll) {
      diagnostics.report({Severity::Error, names[0].place, "the header names one column", hint});
      return nullptr;
    }
  }
  if (looksLikeCase(names, model, choice)) {
    Diagnostic missing;
    missing.place = {buffer, {0, static_cast<uint32_t>(row->text.size())}};
    missing.message =
        "the first row names nothing of the model, its cells are values: is the header "
        "missing?";
    missing.hint =
        "the first row of a list names its columns, as the model names its variables and "
        "params";
    diagnostics.report(std::move(missing));
    return nullptr;
  }
  const auto header = resolveCaseHeader(names, model, choice, diagnostics);
  if (!header || !checkMarks(*header, names, model, choice, diagnostics))
    return nullptr;
  return std::make_unique<ChunkedCases>(
      std::make_unique<CsvReader>(std::move(lines), CsvRows(*header, model, choice)),
      header->paramPlaces);
}

} // namespace mpf
