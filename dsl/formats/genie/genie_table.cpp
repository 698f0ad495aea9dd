#include "dsl/formats/genie/genie_table.h"

#include "dsl/model/noisy_max.h"
#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace mpf {

bool GenieTable::begin(GenieKind kind, const PlacedText &child) {
  kind_ = kind;
  return table_.setChild(child);
}

bool GenieTable::addParent(const PlacedText &parent) {
  if (hasValues_)
    return network_.error(parent.range, "the parents of {} stand behind its numbers",
                          table_.text());
  return table_.addParent(parent);
}

uint64_t GenieTable::parentStates() const {
  uint64_t states = 0;
  for (const VarId parent : table_.parents())
    states += extentOf(parent);
  return states;
}

bool GenieTable::addStrength(const PlacedText &word) {
  if (kind_ != GenieKind::NoisyMax)
    return network_.error(word.range, "{} is no noisy-max, and has strengths", table_.text());
  if (table_.parents().empty())
    return network_.error(word.range,
                          "the strengths of {} stand before its parents, or there are "
                          "none",
                          table_.text());
  if (rankedParents_ == table_.parents().size())
    return network_.error(word.range, "{} has more than {} strengths, the states of its parents",
                          table_.text(), parentStates());
  const VarId parent = table_.parents()[rankedParents_];
  if (statesToRank_ == 0) {
    statesToRank_ = extentOf(parent);
    isRanked_.assign(statesToRank_, false);
  }
  const std::optional<uint64_t> state = parseUnsigned(word.text);
  if (!state || *state >= extentOf(parent))
    return network_.error(word.range, "expected a number of a state of '{}', below {}, found '{}'",
                          excerpt(network_.model().variable(parent).name), extentOf(parent),
                          excerpt(word.text));
  if (isRanked_[*state])
    return network_.error(word.range, "state {} of '{}' has two strengths", *state,
                          excerpt(network_.model().variable(parent).name));
  isRanked_[*state] = true;
  strengths_.push_back(*state);
  if (--statesToRank_ == 0)
    ++rankedParents_;
  return true;
}

bool GenieTable::startNumbers(SourceRange at, uint64_t listable) {
  if (std::exchange(hasValues_, true))
    return network_.error(at, "{} has its numbers twice", table_.text());
  if (kind_ == GenieKind::Deterministic)
    return network_.error(at, "{} is a function of its parents, and has no probabilities",
                          table_.text());
  if (kind_ == GenieKind::NoisyMax && !table_.parents().empty()) {
    count_ = (parentStates() + 1) * extentOf(table_.child());
    return count_ <= listable ||
           network_.error(at, "{} needs {} numbers, the rest of the text has room for {}",
                          table_.text(), count_, listable);
  }
  if (!table_.allocate(at, listable))
    return false;
  count_ = table_.rows() * table_.childExtent();
  return true;
}

bool GenieTable::addNumber(const PlacedText &word) {
  return table_.takeNumber(word, "the list", count_, numbers_);
}

bool GenieTable::startStates(SourceRange at) {
  if (std::exchange(hasValues_, true))
    return network_.error(at, "{} has its states twice", table_.text());
  if (kind_ != GenieKind::Deterministic)
    return network_.error(at, "{} is no function of its parents: it needs numbers", table_.text());
  return table_.allocate(at, 0);
}

bool GenieTable::addState(const PlacedText &word) {
  const std::optional<uint32_t> state = network_.findState(table_.child(), word);
  if (!state)
    return false;
  if (row_ == table_.rows())
    return network_.error(word.range, "{} has more than {} states, one for each row", table_.text(),
                          table_.rows());
  return table_.setCertain(word.range, row_++, *state);
}

bool GenieTable::finish(SourceRange at) {
  if (!hasValues_)
    return network_.error(at, "{} has no numbers", table_.text());
  if (kind_ == GenieKind::Deterministic)
    return table_.finish();
  if (!table_.checkCount(at, "the list", count_, numbers_))
    return false;
  if (kind_ == GenieKind::NoisyMax && !table_.parents().empty())
    return finishNoisy(at);
  table_.setTable(std::move(numbers_));
  return table_.finish();
}

/// Appends a row by the rule of all conditional tables.
bool GenieTable::appendRow(std::vector<double> numbers, const std::string &what,
                           std::vector<double> &rows) {
  const auto describe = [&] {
    return DescribedRow{network_.placeOf(table_.place()),
                        fmt::format("{} of {}", what, table_.text())};
  };
  const size_t errorsBefore = network_.diagnostics().errorCount();
  JudgedRows judged = network_.rows().judge(
      {numbers, numbers.size(), numbers.size(), [&](uint64_t) { return describe(); }, describe});
  if (judged.divided.size() > numbers.size())
    return network_.error(table_.place(),
                          "{}, divided by its sum, has a number that no double holds",
                          describe().text);
  if (!judged.divided.empty())
    numbers = std::move(judged.divided);
  rows.insert(rows.end(), numbers.begin(), numbers.end());
  return network_.diagnostics().errorCount() == errorsBefore;
}

/// Makes the row of the weakest state certain absence, which it is up to rounding.
bool GenieTable::settleWeakest(std::vector<double> &row, const std::string &what) {
  if (std::abs(row.back() - 1) > kRowSumTolerance)
    return network_.error(table_.place(),
                          "{} of {} must be 0 .. 0 1: the last state in the strengths of a parent "
                          "has no effect",
                          what, table_.text());
  std::ranges::fill(row, 0);
  row.back() = 1;
  return true;
}

bool GenieTable::finishNoisy(SourceRange at) {
  if (!numbers_.far.empty())
    return network_.error(at, "a row of {}, a noisy-max, has a number that no double holds",
                          table_.text());
  if (!strengths_.empty() && strengths_.size() != parentStates())
    return network_.error(at, "{} has {} strengths, its parents have {} states", table_.text(),
                          strengths_.size(), parentStates());
  NoisyMax noisy;
  noisy.effect = table_.child();
  noisy.takesLowest = true;
  noisy.causes = table_.parents();
  const size_t extent = extentOf(table_.child());
  size_t row = 0;
  const auto nextRow = [&] {
    const auto begin = numbers_.values.begin() + static_cast<std::ptrdiff_t>(row++ * extent);
    return std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(extent));
  };
  for (const VarId parent : table_.parents()) {
    std::vector<std::vector<double>> byState(extentOf(parent));
    for (size_t rank = 0; rank < byState.size(); ++rank) {
      const uint64_t state = strengths_.empty() ? rank : strengths_[row];
      const std::string what =
          fmt::format("the row of '{}' = {}", excerpt(network_.model().variable(parent).name),
                      network_.stateText(parent, state));
      if (!appendRow(nextRow(), what, byState[state]) ||
          (rank + 1 == byState.size() && !settleWeakest(byState[state], what)))
        return false;
    }
    std::vector<double> table;
    for (const std::vector<double> &part : byState)
      table.insert(table.end(), part.begin(), part.end());
    noisy.tables.push_back(std::make_shared<const std::vector<double>>(std::move(table)));
  }
  return appendRow(nextRow(), "the leak", noisy.leak) && network_.addNoisyMax(noisy, at);
}

} // namespace mpf
