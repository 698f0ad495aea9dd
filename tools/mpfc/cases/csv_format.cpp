#include "tools/mpfc/cases/number_cell.h"
#include "tools/mpfc/cases/quoted_cell.h"
#include "tools/mpfc/cases/refused_cases.h"
#include "tools/mpfc/cases/row_format.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <string_view>
#include <utility>

namespace mpf::driver {

namespace {

class CsvFormat final : public RowFormat {
public:
  explicit CsvFormat(std::vector<AnswerGroup> columns) : groups_(std::move(columns)) {
    for (AnswerGroup &group : groups_) {
      for (std::string &name : group.names) {
        name = quotedCell(name);
        head_ += name + ',';
      }
      for (std::vector<std::string> &labels : group.labels)
        std::ranges::transform(labels, labels.begin(), quotedCell);
    }
    if (head_.empty()) // no columns at all
      head_ += '\n';
    else
      head_.back() = '\n'; // instead of the last comma
  }

  std::string head(uint64_t) const override { return head_; }
  bool headCountsRows() const override { return false; }

  void appendRows(const CaseJob &job, std::string &text) const override {
    std::vector<EmptyCells> empty(groups_.size());
    for (size_t g = 0; g < groups_.size(); ++g)
      empty[g].places = unansweredCases(job, groups_[g].query);
    for (uint32_t i = 0; i < job.block.count; ++i) {
      const size_t begin = text.size();
      for (size_t g = 0; g < groups_.size(); ++g)
        appendCells(groups_[g], job, empty[g].areAt(i), i, text);
      if (text.size() == begin) // no columns at all
        text += '\n';
      else if (text.size() == begin + 1) // one empty cell: readers skip lines that are empty
        text.replace(begin, 1, "\"\"\n");
      else
        text.back() = '\n'; // instead of the last comma
    }
  }

private:
  /// The cases in which a group has no answer; asked for one row after the other.
  struct EmptyCells {
    std::vector<uint32_t> places;
    size_t next = 0;

    bool areAt(uint32_t i) {
      const bool are = next != places.size() && places[next] == i;
      next += are ? 1 : 0;
      return are;
    }
  };

  /// Appends the cells of a group, each with a comma after it.
  static void appendCells(const AnswerGroup &group, const CaseJob &job, bool areEmpty, uint32_t i,
                          std::string &text) {
    if (group.content == AnswerContent::Kept) {
      text += job.block.kept(i);
    } else if (group.content == AnswerContent::Param) {
      appendNumber(job.block.params()[group.table * job.block.pitch() + i], text);
      text += ',';
    } else if (areEmpty) {
      text.append(group.names.size(), ',');
    } else if (group.content == AnswerContent::States) {
      appendStates(group, job.answers[group.query], i, text);
    } else {
      appendEntries(group, job.answers[group.query].tables[group.table], i, text);
    }
  }

  static void appendEntries(const AnswerGroup &group, const CaseTable &table, uint32_t i,
                            std::string &text) {
    const double *const entries = table.entries.data() + size_t{i} * table.size;
    if (group.content == AnswerContent::Lod) {
      if (const double lod = lodOf(group, table, i); !std::isnan(lod))
        appendNumber(lod, text);
      text += ',';
      return;
    }
    if (group.content == AnswerContent::Logarithm) {
      for (size_t entry = 0; entry < table.size; ++entry) {
        if (const double ln = logarithmOf(table, i, entry); !std::isnan(ln))
          appendNumber(ln, text);
        text += ',';
      }
      return;
    }
    if (table.isInteger)
      return appendWhole(table, i, text);
    const bool isPlain = table.exponents[i] == 0 && table.farApart.empty();
    const size_t rowElems = table.rowElems();
    for (size_t entry = 0; entry < table.size; ++entry) {
      const double *const row = entries + entry;
      if (table.normalised && entry % rowElems == 0 &&
          std::all_of(row, row + rowElems, [](double other) { return other == 0; })) {
        text.append(rowElems, ',');
        entry += rowElems - 1;
        continue;
      }
      if (isPlain && std::abs(entries[entry]) >= 0x1p-1022)
        appendNumber(entries[entry], text);
      else
        appendNumber(table.at(i, entry), text);
      text += ',';
    }
  }

  static void appendWhole(const CaseTable &table, uint32_t i, std::string &text) {
    for (size_t at = i * table.size; at < (size_t{i} + 1) * table.size; ++at) {
      if (std::isinf(table.entries[at])) // of a minimum of nothing
        appendNumber(table.entries[at], text);
      else
        fmt::format_to(std::back_inserter(text), "{}", table.integerEntries[at]);
      text += ',';
    }
  }

  static void appendStates(const AnswerGroup &group, const CaseAnswers &answers, uint32_t i,
                           std::string &text) {
    const uint32_t *const states = answers.states.data() + size_t{i} * answers.variables;
    for (size_t v = 0; v < answers.variables; ++v) {
      if (states[v] != CaseAnswers::kNoState) {
        if (group.labels[v].empty())
          fmt::format_to(std::back_inserter(text), "{}", states[v]);
        else
          text += group.labels[v][states[v]];
      }
      text += ',';
    }
  }

  std::vector<AnswerGroup> groups_; ///< names and labels as they are written
  std::string head_;
};

} // namespace

std::unique_ptr<RowFormat> csvFormat(std::vector<AnswerGroup> columns) {
  return std::make_unique<CsvFormat>(std::move(columns));
}

} // namespace mpf::driver
