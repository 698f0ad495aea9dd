#include "dsl/formats/cases/csv_rows.h"

#include "dsl/formats/cases/case_rows.h"
#include "dsl/formats/cases/csv_cells.h"
#include "dsl/formats/cases/csv_marks.h"
#include "dsl/formats/cases/csv_records.h"
#include "dsl/formats/cases/csv_text.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace mpf {

namespace {

/// The limit for the cases of one chunk. Rows that have all their cells need less.
constexpr size_t kMostBlockBytes = size_t{16} << 20;

} // namespace

CsvRows::CsvRows(const CaseHeader &header, const Model &model, const ColumnChoice &choice)
    : schema_(header.schema), missing_(choice.missing), constant_(header.constant),
      keptCount_(header.kept.size()) {
  std::map<std::pair<std::vector<std::string>, uint32_t>, size_t> known;
  for (const CaseColumn &column : header.columns) {
    Column &added = columns_.emplace_back();
    added.cell = column.cell;
    added.index = column.index;
    added.missing = column.missing;
    added.kept = kNotKept;
    if (column.cell == CaseCell::Ignored)
      continue;
    if (column.cell == CaseCell::Param || column.cell == CaseCell::Entry) {
      added.name = column.cell == CaseCell::Param ? schema_.params[column.index] : column.entry;
      continue;
    }
    const Variable &variable = model.variable(column.variable);
    added.name = variable.name;
    if (column.cell != CaseCell::State)
      continue;
    const auto [place, isNew] =
        known.try_emplace({variable.labels, variable.extent}, states_.size());
    if (isNew)
      states_.emplace_back(variable, choice);
    added.states = place->second;
  }
  for (size_t k = 0; k < header.kept.size(); ++k)
    columns_[header.kept[k]].kept = k;
  likelihoods_ = likelihoodRows(schema_, model);
}

bool CsvRows::isMissing(std::string_view text) const {
  return text.empty() || std::ranges::find(missing_, text) != missing_.end();
}

TableNumber CsvRows::numberIn(const Column &column, std::string_view text) const {
  using Kind = TableNumber::Kind;
  text = withoutBlanks(text);
  if (isMissing(text) && column.cell == CaseCell::Entry)
    return {std::isnan(column.missing) ? Kind::None : Kind::Plain, column.missing};
  if (isMissing(text))
    return {Kind::Plain, kNoNumber};
  const TableNumber number = readTableNumber(text);
  if (column.cell == CaseCell::Weight && number.nearest < 0)
    return {};
  if (column.cell == CaseCell::Param && number.kind == Kind::Far) // params are doubles
    return {};
  return number;
}

CellProblem CsvRows::problemOf(const Column &column, std::string_view text) const {
  const std::string shown = excerpt(text), name = excerpt(column.name, 80);
  const std::string_view cell = withoutBlanks(text);
  if (column.cell == CaseCell::State)
    return states_[column.states].problem(column.name, cell);
  if (column.cell == CaseCell::Entry && isMissing(cell))
    return {fmt::format("entry {} is {}, and the model has no default for it", name,
                        cell.empty() ? "empty" : "missing"),
            {}};
  const std::string what = column.cell == CaseCell::Weight ? fmt::format("no weight of '{}'", name)
                           : column.cell == CaseCell::Param
                               ? fmt::format("no value of param '{}'", name)
                               : fmt::format("no value of entry {}", name);
  const std::string hint = missingHint(cell);
  const TableNumber number = readTableNumber(cell);
  const bool isParam = column.cell == CaseCell::Param;
  const bool isBeyond = number.kind == TableNumber::Kind::Beyond;
  if (isBeyond && !isParam)
    return {fmt::format("'{}' is {}: {}", shown, what, tableRangeText()), hint};
  if (isParam && (isBeyond || number.kind == TableNumber::Kind::Far))
    return {fmt::format("'{}' is {}: it is too {} for a double", shown, what,
                        number.far.exponent < 0 ? "small" : "large"),
            hint};
  return {fmt::format("'{}' is {}: a finite number{}", shown, what,
                      column.cell == CaseCell::Weight ? " from 0" : ""),
          hint};
}

/// Parses one chunk.
template <class Code> class CsvRows::Walk {
public:
  Walk(const CsvRows &rows, CaseChunk &chunk, OnBadRow onBadRow)
      : rows_(rows), chunk_(chunk), block_(chunk.block), onBadRow_(onBadRow),
        end_(chunk.bytes.data() + chunk.size), kept_(rows.keptCount_) {
    for (const Column &column : rows.columns_) {
      Target &target = targets_.emplace_back();
      target.cell = column.cell;
      if (column.cell == CaseCell::State) {
        target.lookup = &rows.states_[column.states].lookup();
        target.codes = reinterpret_cast<Code *>(block_.column(column.index));
      } else if (column.cell != CaseCell::Ignored) {
        std::vector<double> &numbers =
            column.cell == CaseCell::Param ? block_.params() : block_.weights();
        target.numbers = numbers.data() + column.index * block_.pitch();
      }
    }
  }

  void run() {
    const char *row = chunk_.bytes.data();
    CsvMarks marks(row);
    while (row != end_ && !stopped_) {
      const char *behind = takeUsual(row, marks);
      if (behind == nullptr) {
        behind = takeUnusual(row);
        marks.jump(behind);
      }
      row = behind;
      ++chunk_.lines;
    }
    block_.count = row_;
    for (const ConstantWeight &weight : rows_.constant_)
      std::fill_n(block_.weights().begin() + static_cast<ptrdiff_t>(weight.row * block_.pitch()),
                  row_, weight.value);
  }

private:
  struct Target {
    CaseCell cell;
    const StateLookup *lookup = nullptr;
    Code *codes = nullptr;
    double *numbers = nullptr;
  };
  struct Problem {
    SourceRange range;
    CellProblem what;
  };

  /// Parses a usual row and returns the start of the next one. Null: this row is not usual.
  const char *takeUsual(const char *row, CsvMarks &marks) {
    if (*row == '\n' || *row == '\r')
      return nullptr;
    far_.clear();
    const char *cell = row;
    const size_t columns = targets_.size();
    for (size_t column = 0; column < columns; ++column) {
      const char *const begin = cell;
      const char *at = marks.next(), *close = nullptr;
      if (*at == '"' && at == cell) { // the cell may have one pair of quotes around it
        ++cell;
        close = marks.next();
        if (*close != '"')
          return nullptr;
        at = marks.next();
      }
      const bool isLast = column + 1 == columns;
      if (*at != (isLast ? '\n' : ','))
        return nullptr;
      const char *end = isLast && at != cell && at[-1] == '\r' ? at - 1 : at;
      const char *const behind = end;
      if (close != nullptr && end-- != close + 1)
        return nullptr;
      if (!takeCell(column, {cell, static_cast<size_t>(end - cell)}))
        return nullptr;
      if (!kept_.empty())
        keepCell(column, {begin, static_cast<size_t>(behind - begin)});
      cell = at + 1;
    }
    if (findWeightProblem() != nullptr)
      return nullptr;
    endRow();
    return cell;
  }

  void keepCell(size_t column, std::string_view raw) {
    if (const size_t place = rows_.columns_[column].kept; place != kNotKept)
      kept_[place] = raw;
  }

  /// Ends a row that is a case, or a skipped one.
  void endRow() {
    keepFar();
    ++row_;
    if (kept_.empty())
      return;
    keptText_.clear();
    for (const std::string_view cell : kept_) {
      appendKeptCell(cell, keptText_);
      keptText_ += ',';
    }
    block_.keep(keptText_);
  }

  /// Stores the value of a cell. Returns false if the text is not valid for that column.
  bool takeCell(size_t column, std::string_view text) {
    const Target &target = targets_[column];
    if (target.cell == CaseCell::State) {
      uint32_t code = target.lookup->find(text.data(), text.size());
      if (code == StateLookup::kNone) [[unlikely]] {
        const auto found = rows_.states_[rows_.columns_[column].states].find(withoutBlanks(text));
        if (!found)
          return false;
        code = *found;
      }
      target.codes[row_] = static_cast<Code>(code);
      return true;
    }
    if (target.cell == CaseCell::Ignored)
      return true;
    const Column &known = rows_.columns_[column];
    const TableNumber number = rows_.numberIn(known, text);
    if (number.kind != TableNumber::Kind::Plain && number.kind != TableNumber::Kind::Far)
      return false;
    target.numbers[row_] = number.nearest;
    if (number.kind == TableNumber::Kind::Far) [[unlikely]]
      far_.push_back({known.index, number.far});
    return true;
  }

  /// Numbers of the row at hand, in the order of its columns, become those of its case.
  void keepFar() {
    if (far_.empty())
      return;
    std::ranges::sort(far_, {}, &FarValue::index);
    block_.far[row_] = std::move(far_);
    far_.clear();
  }

  /// Completes the likelihoods of the row; gives the one that is wrong.
  const LikelihoodRows *findWeightProblem() {
    for (const LikelihoodRows &likelihood : rows_.likelihoods_)
      if (completeWeights(block_, likelihood, row_) != WeightFault::None)
        return &likelihood;
    return nullptr;
  }

  /// Parses a row cell by cell and returns the start of the next one.
  const char *takeUnusual(const char *row) {
    const char *const behind = endOfRow(row, end_, true);
    std::string_view line(row, static_cast<size_t>(behind - 1 - row));
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    if (!line.empty()) {
      if (std::optional<Problem> problem = takeLine(line))
        addBad(line, std::move(*problem));
      else
        endRow();
    }
    chunk_.lines += static_cast<uint64_t>(std::count(row, behind - 1, '\n'));
    return behind;
  }

  std::optional<Problem> takeLine(std::string_view line) {
    CsvCells cells(line);
    CsvCell cell;
    far_.clear();
    std::vector<SourceRange> ranges;
    std::optional<Problem> problem;
    while (cells.next(cell)) {
      if (cell.isBroken) {
        forgetKept();
        return Problem{cell.range,
                       {"expected a closing quote, then ',' or the end of the line", {}}};
      }
      const size_t column = ranges.size();
      ranges.push_back(cell.range);
      if (column < targets_.size())
        keepCell(column, cell.raw);
      if (!problem && column < targets_.size() && !takeCell(column, cell.text))
        problem = Problem{cell.range, rows_.problemOf(rows_.columns_[column], cell.text)};
    }
    if (ranges.size() != targets_.size()) {
      forgetKept();
      return Problem{
          {0, static_cast<uint32_t>(line.size())},
          {fmt::format("the row has {} cells, the header has {}", ranges.size(), targets_.size()),
           {}}};
    }
    if (problem)
      return problem;
    if (const LikelihoodRows *wrong = findWeightProblem())
      return weightProblem(*wrong, ranges);
    return std::nullopt;
  }

  /// Drops the kept cells of a row that cannot be split into cells.
  void forgetKept() { std::ranges::fill(kept_, std::string_view()); }

  Problem weightProblem(const LikelihoodRows &likelihood, const std::vector<SourceRange> &ranges) {
    for (size_t column = 0; column < ranges.size(); ++column)
      if (isWeightOf(column, likelihood) && std::isnan(targets_[column].numbers[row_]))
        return {ranges[column],
                {fmt::format("the likelihood of '{}' has no weight here: all its cells are filled "
                             "or all are empty",
                             excerpt(likelihood.name)),
                 {}}};
    size_t first = 0;
    while (!isWeightOf(first, likelihood))
      ++first;
    return {ranges[first],
            {fmt::format("all weights of '{}' are zero", excerpt(likelihood.name)), {}}};
  }

  bool isWeightOf(size_t column, const LikelihoodRows &likelihood) const {
    const Column &known = rows_.columns_[column];
    return known.cell == CaseCell::Weight && known.index >= likelihood.first &&
           known.index - likelihood.first < likelihood.extent;
  }

  void addBad(std::string_view line, Problem problem) {
    if (chunk_.bad.size() < BadRows::kMostMessages)
      chunk_.bad.push_back({chunk_.lines, std::string(line), problem.range,
                            std::move(problem.what.message), std::move(problem.what.hint)});
    if (onBadRow_ == OnBadRow::Stop) {
      stopped_ = true;
      return;
    }
    clearCase(block_, rows_.schema_, row_);
    far_.clear();
    block_.skipped.push_back(row_);
    endRow();
  }

  const CsvRows &rows_;
  CaseChunk &chunk_;
  CaseBlock &block_;
  const OnBadRow onBadRow_;
  const char *const end_;
  std::vector<Target> targets_;
  std::vector<std::string_view> kept_; ///< of the current row: kept cells in the schema's order
  std::string keptText_;
  std::vector<FarValue> far_; ///< of the row at hand: weights that no normal double holds
  uint32_t row_ = 0;
  bool stopped_ = false;
};

size_t CsvRows::mostRows() const {
  const size_t rowBytes = schema_.observed.size() * codeBytesFor(schema_) +
                          (schema_.weightCount() + schema_.params.size()) * sizeof(double);
  return std::max<size_t>(kMostBlockBytes / std::max<size_t>(rowBytes, 1), 1);
}

size_t CsvRows::columnOf(const CaseField &field) const {
  for (size_t column = 0; column < columns_.size(); ++column) {
    const Column &known = columns_[column];
    const bool isParam = known.cell == CaseCell::Param;
    const bool isWeight = known.cell == CaseCell::Weight || known.cell == CaseCell::Entry;
    if (known.index == field.index && ((isParam && field.of == CaseField::Of::Param) ||
                                       (isWeight && field.of == CaseField::Of::Weight)))
      return column;
  }
  return SIZE_MAX;
}

void CsvRows::parse(CaseChunk &chunk, OnBadRow onBadRow) const {
  const char *const begin = chunk.bytes.data();
  makeRoomForRows(chunk.block, schema_,
                  std::min(linesWithText(begin, begin + chunk.size), mostRows()));
  chunk.lines = 0;
  chunk.bad.clear();
  switch (chunk.block.codeBytes()) {
  case 1:
    return Walk<uint8_t>(*this, chunk, onBadRow).run();
  case 2:
    return Walk<uint16_t>(*this, chunk, onBadRow).run();
  default:
    return Walk<uint32_t>(*this, chunk, onBadRow).run();
  }
}

} // namespace mpf
