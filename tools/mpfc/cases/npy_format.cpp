#include "dsl/formats/tables/npy_header.h"
#include "tools/mpfc/cases/row_format.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace mpf::driver {

namespace {

static_assert(std::endian::native == std::endian::little, "doubles are written as they are");

constexpr double kNoAnswer = std::numeric_limits<double>::quiet_NaN();
/// Room for any shape of 2^64 rows and columns.
constexpr size_t kHeadBytes = 128;

class NpyFormat final : public RowFormat {
public:
  explicit NpyFormat(std::vector<AnswerGroup> columns)
      : groups_(std::move(columns)), columns_(columnCount(groups_)) {}

  std::string head(uint64_t rows) const override {
    return formatNpyHeader({rows, columns_}, kHeadBytes);
  }
  bool headCountsRows() const override { return true; }

  void appendRows(const CaseJob &job, std::string &text) const override {
    size_t at = text.size();
    text.resize(at + size_t{job.block.count} * columns_ * sizeof(double));
    std::vector<double> row(columns_);
    auto skipped = job.block.skipped.begin();
    for (uint32_t i = 0; i < job.block.count; ++i) {
      const bool isSkipped = skipped != job.block.skipped.end() && *skipped == i;
      skipped += isSkipped;
      double *to = row.data();
      for (const AnswerGroup &group : groups_) {
        if (group.content == AnswerContent::Param)
          *to = job.block.params()[group.table * job.block.pitch() + i];
        else if (isSkipped)
          std::fill_n(to, group.names.size(), kNoAnswer);
        else
          fillCells(group, job.answers[group.query], i, to);
        to += group.names.size();
      }
      std::memcpy(text.data() + at, row.data(), columns_ * sizeof(double));
      at += columns_ * sizeof(double);
    }
  }

private:
  static void fillCells(const AnswerGroup &group, const CaseAnswers &answers, uint32_t i,
                        double *to) {
    if (group.content == AnswerContent::States) {
      const uint32_t *const states = answers.states.data() + size_t{i} * answers.variables;
      std::transform(states, states + answers.variables, to, [](uint32_t state) {
        return state == CaseAnswers::kNoState ? kNoAnswer : static_cast<double>(state);
      });
      return;
    }
    const CaseTable &table = answers.tables[group.table];
    if (group.content == AnswerContent::Logarithm) {
      for (size_t entry = 0; entry < table.size; ++entry)
        to[entry] = logarithmOf(table.at(i, entry));
      return;
    }
    const double *const entries = table.entries.data() + size_t{i} * table.size;
    const bool isImpossible = table.normalised && std::all_of(entries, entries + table.size,
                                                              [](double e) { return e == 0; });
    for (size_t entry = 0; entry < table.size; ++entry)
      to[entry] = isImpossible ? kNoAnswer : entryOf(table, i, entry);
  }

  static double entryOf(const CaseTable &table, uint32_t i, size_t entry) {
    if (table.farApart.empty())
      return std::ldexp(table.entries[size_t{i} * table.size + entry], table.exponents[i]);
    const ScaledNumber number = table.at(i, entry);
    return std::ldexp(number.mantissa,
                      static_cast<int>(std::clamp<int64_t>(number.exponent, -5000, 5000)));
  }

  const std::vector<AnswerGroup> groups_;
  const size_t columns_;
};

} // namespace

std::unique_ptr<RowFormat> npyFormat(std::vector<AnswerGroup> columns) {
  return std::make_unique<NpyFormat>(std::move(columns));
}

} // namespace mpf::driver
