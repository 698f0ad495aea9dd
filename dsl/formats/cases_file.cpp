#include "dsl/formats/cases_file.h"

#include "dsl/model/model_limits.h"
#include "dsl/support/counts.h"
#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"

#include <string_view>
#include <unordered_map>

namespace mpf {

namespace {

/// What a row costs besides its cells, in cells: rows of few columns are bounded too.
constexpr uint64_t kRowOverhead = 8;

struct Cell {
  std::string text; ///< unquoted, without the blanks around it
  SourceRange range;
};

class CasesParser {
public:
  CasesParser(std::shared_ptr<const SourceBuffer> text, const Model &model,
              Diagnostics &diagnostics)
      : buffer_(std::move(text)), text_(buffer_->text()), model_(model), diagnostics_(diagnostics),
        errorsBefore_(diagnostics.errorCount()) {
    if (text_.starts_with("\xef\xbb\xbf")) // spreadsheets start their .csv with a byte order mark
      at_ = 3;
  }

  std::optional<Evidence> parse() {
    if (!nextRow()) {
      diagnostics_.error({buffer_, {0, 0}}, "the file is empty, its first row names the variables");
      return std::nullopt;
    }
    parseHeader();
    if (failed())
      return std::nullopt;
    const uint64_t limit = ModelLimits().maxCaseEntries;
    while (!diagnostics_.full() && nextRow()) {
      if (saturatingMul(caseCount_ + 1, labels_.size() + kRowOverhead) > limit) {
        diagnostics_.error(place(row_.front()), "case {} over {} variables: the limit is {} cells",
                           caseCount_ + 1, labels_.size(), limit);
        return std::nullopt;
      }
      parseCase();
    }
    if (failed())
      return std::nullopt;
    return listedEvidence(columns_, states_, caseCount_);
  }

private:
  using Labels = std::unordered_map<std::string_view, uint32_t>;

  bool failed() const { return diagnostics_.errorCount() != errorsBefore_; }
  SourcePlace place(const Cell &cell) const { return {buffer_, cell.range}; }
  static std::string shown(const Cell &cell) { return excerpt(cell.text); }

  /// Splits the next line that is not blank into row_; false at the end of the text.
  bool nextRow() {
    while (at_ < text_.size()) {
      const size_t newline = std::min(text_.find('\n', at_), text_.size());
      std::string_view line = text_.substr(at_, newline - at_);
      if (line.ends_with('\r'))
        line.remove_suffix(1);
      const size_t begin = std::exchange(at_, newline + 1);
      if (line.empty())
        continue;
      splitLine(line, begin);
      return true;
    }
    return false;
  }

  void splitLine(std::string_view line, size_t begin) {
    row_.clear();
    for (size_t at = 0;;) {
      Cell cell;
      at = takeCell(line, at, begin, cell);
      row_.push_back(std::move(cell));
      if (at == line.size())
        return;
      ++at; // the comma
    }
  }

  /// Gives where the cell ends: at a comma or at the end of the line.
  size_t takeCell(std::string_view line, size_t at, size_t lineBegin, Cell &cell) {
    const auto skipBlanks = [&] {
      while (at < line.size() && (line[at] == ' ' || line[at] == '\t'))
        ++at;
    };
    skipBlanks();
    const size_t begin = at;
    if (at < line.size() && line[at] == '"') {
      bool closed = false;
      for (++at; at < line.size() && !closed; ++at) {
        const bool doubled = line[at] == '"' && line.substr(at + 1).starts_with('"');
        closed = line[at] == '"' && !doubled;
        at += doubled;
        if (!closed)
          cell.text += line[at];
      }
      const size_t end = at;
      skipBlanks();
      cell.range = rangeOf(lineBegin, begin, end);
      if (!closed || (at < line.size() && line[at] != ','))
        diagnostics_.error({buffer_, cell.range}, "expected a closing quote, then ',' or the end "
                                                  "of the line");
      return std::min(line.find(',', at), line.size());
    }
    at = std::min(line.find(',', at), line.size());
    size_t end = at;
    while (end > begin && (line[end - 1] == ' ' || line[end - 1] == '\t'))
      --end;
    cell.text = line.substr(begin, end - begin);
    cell.range = rangeOf(lineBegin, begin, end);
    return at;
  }

  static SourceRange rangeOf(size_t lineBegin, size_t begin, size_t end) {
    return {static_cast<uint32_t>(lineBegin + begin), static_cast<uint32_t>(lineBegin + end)};
  }

  void parseHeader() {
    std::unordered_map<std::string_view, VarId> variables;
    for (size_t i = 0; i < model_.variables.size(); ++i)
      variables.emplace(model_.variables[i].name, VarId(i));
    std::vector<bool> named(model_.variables.size(), false);
    for (const Cell &cell : row_) {
      const auto found = variables.find(cell.text);
      if (found == variables.end()) {
        diagnostics_.error(place(cell), "the model has no variable '{}'", shown(cell));
        continue;
      }
      const VarId id = found->second;
      if (named[id.index()])
        diagnostics_.error(place(cell), "variable '{}' has two columns", shown(cell));
      named[id.index()] = true;
      columns_.push_back(id);
      Labels labels;
      for (const std::string &label : model_.variable(id).labels)
        labels.emplace(label, static_cast<uint32_t>(labels.size()));
      labels_.push_back(std::move(labels));
    }
  }

  void parseCase() {
    if (row_.size() != labels_.size()) {
      diagnostics_.error(place(row_.front()), "case {} has {} cells, the header has {}",
                         caseCount_ + 1, row_.size(), labels_.size());
      return;
    }
    for (size_t column = 0; column < row_.size(); ++column) {
      const Cell &cell = row_[column];
      states_.push_back(cell.text.empty() ? Evidence::kNotObserved : parseState(cell, column));
    }
    ++caseCount_;
  }

  uint32_t parseState(const Cell &cell, size_t column) {
    const auto label = labels_[column].find(cell.text);
    if (label != labels_[column].end())
      return label->second;
    const Variable &variable = model_.variable(columns_[column]);
    const auto number = parseUnsigned(cell.text);
    if (number && *number < variable.extent)
      return static_cast<uint32_t>(*number);
    if (variable.labels.empty() || number)
      diagnostics_.error(place(cell), "'{}' is no state of '{}', which has {}, numbered from 0",
                         shown(cell), variable.name, variable.extent);
    else
      diagnostics_.error(place(cell), "'{}' is none of the {} labels of '{}'", shown(cell),
                         variable.extent, variable.name);
    return Evidence::kNotObserved;
  }

  std::shared_ptr<const SourceBuffer> buffer_;
  std::string_view text_;
  const Model &model_;
  Diagnostics &diagnostics_;
  size_t errorsBefore_;
  size_t at_ = 0; ///< start of the next line
  std::vector<Cell> row_;
  std::vector<Labels> labels_; ///< per column; only looked up
  std::vector<VarId> columns_;
  std::vector<uint32_t> states_; ///< caseCount_ x columns_, row-major
  uint64_t caseCount_ = 0;
};

} // namespace

std::optional<Evidence> readCases(std::shared_ptr<const SourceBuffer> text, const Model &model,
                                  Diagnostics &diagnostics) {
  return CasesParser(std::move(text), model, diagnostics).parse();
}

} // namespace mpf
