#include "dsl/formats/tables/npy_header.h"
#include "dsl/support/check.h"
#include "dsl/support/numbers/table_number.h"
#include "tools/mpfc/cases/array_numbers.h"
#include "tools/mpfc/cases/refused_cases.h"
#include "tools/mpfc/cases/row_format.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

namespace mpf::driver {

namespace {

static_assert(std::endian::native == std::endian::little, "doubles are written as they are");

constexpr double kNoAnswer = std::numeric_limits<double>::quiet_NaN();
/// Bytes of rows that are made together: they stay in a CPU's cache for all columns.
constexpr size_t kPieceBytes = size_t{32} << 10;
/// Characters for any shape up to 2^64 rows and columns.
constexpr size_t kHeadBytes = 128;

class NpyFormat final : public RowFormat {
public:
  explicit NpyFormat(std::vector<AnswerGroup> columns)
      : groups_(std::move(columns)), columns_(columnCount(groups_)) {}

  std::string head(uint64_t rows) const override {
    return formatNpyHeader({rows, columns_}, kHeadBytes);
  }
  bool headCountsRows() const override { return true; }

  void refuseCases(CaseJob &job) const override {
    for (size_t query = 0; query < job.answers.size(); ++query)
      refuseCases(job, query);
  }

  void appendRows(const CaseJob &job, std::string &text) const override {
    const size_t begin = text.size(), rowBytes = columns_ * sizeof(double);
    text.resize(begin + size_t{job.block.count} * rowBytes);
    const auto pieceRows =
        static_cast<uint32_t>(std::max<size_t>(kPieceBytes / std::max<size_t>(rowBytes, 1), 1));
    for (uint32_t first = 0; first < job.block.count;) {
      const uint32_t count = std::min(pieceRows, job.block.count - first);
      Cells cells{text.data() + begin + first * rowBytes, rowBytes, first, count};
      for (const AnswerGroup &group : groups_) {
        fillGroup(group, job, cells);
        cells.begin += group.names.size() * sizeof(double);
      }
      first += count;
    }
    char *column = text.data() + begin;
    for (const AnswerGroup &group : groups_) {
      if (group.content != AnswerContent::Param) // the params of a bad row stay
        for (const uint32_t place : unansweredCases(job, group.query))
          clearCells(column + place * rowBytes, group.names.size());
      column += group.names.size() * sizeof(double);
    }
  }

private:
  /// Writes the cells of some columns, for the cases [first, first + count).
  struct Cells {
    char *begin;
    size_t rowBytes;
    uint32_t first, count;

    void set(uint32_t row, size_t column, double value) const {
      std::memcpy(begin + row * rowBytes + column * sizeof(double), &value, sizeof(value));
    }
    uint32_t number(uint32_t row) const { return first + row; }
  };

  static void fillGroup(const AnswerGroup &group, const CaseJob &job, const Cells &cells) {
    switch (group.content) {
    case AnswerContent::Kept:
      MPF_UNREACHABLE("text of '{}' in an array of numbers", group.names.front());
    case AnswerContent::Param:
      for (uint32_t row = 0; row < cells.count; ++row)
        cells.set(row, 0, job.block.params()[group.table * job.block.pitch() + cells.number(row)]);
      return;
    case AnswerContent::States:
      return fillStates(job.answers[group.query], cells);
    case AnswerContent::Logarithm: {
      const CaseTable &table = job.answers[group.query].tables[group.table];
      std::vector<double> logarithms(size_t{cells.count} * table.size);
      logarithmsOf(table, cells.first, cells.count, logarithms.data());
      for (uint32_t row = 0; row < cells.count; ++row)
        for (size_t entry = 0; entry < table.size; ++entry)
          cells.set(row, entry, logarithms[row * table.size + entry]);
      return;
    }
    case AnswerContent::Lod: {
      const CaseTable &table = job.answers[group.query].tables[group.table];
      for (uint32_t row = 0; row < cells.count; ++row)
        cells.set(row, 0, lodOf(group, table, cells.number(row)));
      return;
    }
    case AnswerContent::Entries:
      return fillEntries(job.answers[group.query].tables[group.table], cells);
    }
  }

  static void fillStates(const CaseAnswers &answers, const Cells &cells) {
    for (uint32_t row = 0; row < cells.count; ++row) {
      const uint32_t *const states =
          answers.states.data() + size_t{cells.number(row)} * answers.variables;
      for (size_t v = 0; v < answers.variables; ++v)
        cells.set(row, v, states[v] == CaseAnswers::kNoState ? kNoAnswer : states[v]);
    }
  }

  static void fillEntries(const CaseTable &table, const Cells &cells) {
    for (uint32_t row = 0; row < cells.count; ++row) {
      const uint32_t i = cells.number(row);
      const double *const entries = table.entries.data() + size_t{i} * table.size;
      const size_t rowElems = table.rowElems();
      const bool isPlain = table.farApart.empty() && table.exponents[i] == 0;
      bool isImpossible = false;
      for (size_t entry = 0; entry < table.size; ++entry) {
        if (table.normalised && entry % rowElems == 0)
          isImpossible = std::all_of(entries + entry, entries + entry + rowElems,
                                     [](double e) { return e == 0; });
        cells.set(row, entry,
                  isImpossible ? kNoAnswer
                  : isPlain    ? entries[entry]
                               : entryOf(table, i, entry));
      }
    }
  }

  /// Why the array has no room for case i of the table. Empty: it has.
  static std::string whyNotHeld(const CaseTable &table, uint32_t i) {
    constexpr const char *kOthers = "CSV and JSON";
    const size_t begin = size_t{i} * table.size;
    if (table.isInteger) {
      const auto counts = std::span(table.integerEntries).subspan(begin, table.size);
      const auto far =
          std::ranges::find_if(counts, [](Uint128 count) { return count > kMostExactCount; });
      return far == counts.end() ? "" : countBeyondArrays(table.name, *far, kOthers);
    }
    const auto entries = std::span(table.entries).subspan(begin, table.size);
    if (table.farApart.empty() && table.exponents[i] == 0 &&
        std::ranges::none_of(entries, isBelowNormal))
      return "";
    for (size_t entry = 0; entry < table.size; ++entry)
      if (const ScaledNumber number = table.at(i, entry); !number.value())
        return numberBeyondArrays(table.name, number, kOthers);
    return "";
  }

  void refuseCases(CaseJob &job, size_t query) const {
    const std::vector<uint32_t> unanswered = unansweredCases(job, query);
    std::vector<RefusedCase> refused;
    for (const AnswerGroup &group : groups_) {
      if (group.content != AnswerContent::Entries || group.query != query)
        continue;
      const CaseTable &table = job.answers[query].tables[group.table];
      for (uint32_t i = 0; i < job.block.count; ++i)
        if (std::string why = whyNotHeld(table, i);
            !why.empty() && !std::ranges::binary_search(unanswered, i))
          refused.push_back({i, ErrorKind::BadInput, std::move(why)});
    }
    if (refused.empty())
      return;
    std::vector<RefusedCase> &all = job.answers[query].refused;
    all.insert(all.end(), std::make_move_iterator(refused.begin()),
               std::make_move_iterator(refused.end()));
    std::ranges::stable_sort(all, {}, &RefusedCase::place);
    const auto same = std::ranges::unique(all, {}, &RefusedCase::place);
    all.erase(same.begin(), same.end());
  }

  static void clearCells(char *cell, size_t count) {
    for (size_t column = 0; column < count; ++column, cell += sizeof(double))
      std::memcpy(cell, &kNoAnswer, sizeof(kNoAnswer));
  }

  static double entryOf(const CaseTable &table, uint32_t i, size_t entry) {
    if (table.farApart.empty())
      return std::ldexp(table.entries[size_t{i} * table.size + entry], table.exponents[i]);
    return table.at(i, entry).nearest();
  }

  const std::vector<AnswerGroup> groups_;
  const size_t columns_;
};

} // namespace

std::unique_ptr<RowFormat> npyFormat(std::vector<AnswerGroup> columns) {
  return std::make_unique<NpyFormat>(std::move(columns));
}

} // namespace mpf::driver
