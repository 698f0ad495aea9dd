#include "dsl/formats/bif/noisy_rows.h"

#include "dsl/model/noisy_max.h"
#include "dsl/support/numbers/row_sums.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace mpf {

namespace {

class NoisyRows {
public:
  NoisyRows(NetworkBuilder &network, VarId child, const std::vector<VarId> &parents,
            std::span<const ListedRow> rows, SourceRange place)
      : network_(network), child_(child), parents_(parents), rows_(rows), place_(place),
        text_(conditionalText(network, child, true)) {}

  bool add() {
    findAbsent();
    if (!sortRows() || !haveAll())
      return false;
    NoisyMax noisy;
    noisy.effect = child_;
    noisy.causes = parents_;
    noisy.leak = leakRow_;
    for (size_t parent = 0; parent < parents_.size(); ++parent) {
      std::vector<double> table;
      for (uint32_t state = 0; state < extentOf(parent); ++state)
        if (!appendAlone(parent, state, table))
          return false;
      noisy.tables.push_back(std::make_shared<const std::vector<double>>(std::move(table)));
    }
    warnOfMisfits();
    return network_.addNoisyMax(noisy, place_);
  }

private:
  uint32_t extentOf(size_t parent) const {
    return network_.model().variable(parents_[parent]).extent;
  }

  std::string nameOf(const std::vector<uint32_t> &states) const {
    std::string text;
    for (size_t i = 0; i < states.size(); ++i)
      text += (i == 0 ? "" : ", ") + network_.stateText(parents_[i], states[i]);
    return "(" + text + ")";
  }

  /// Finds the state that means "absent" for each parent: the one that most rows have.
  void findAbsent() {
    for (size_t parent = 0; parent < parents_.size(); ++parent) {
      std::vector<size_t> times(extentOf(parent), 0);
      for (const ListedRow &row : rows_)
        ++times[row.states[parent]];
      absent_.push_back(static_cast<uint32_t>(std::ranges::max_element(times) - times.begin()));
    }
  }

  /// Assigns each row to its cause. Reports rows of several causes, duplicate rows and wrong sums.
  bool sortRows() {
    for (const ListedRow &row : rows_) {
      std::vector<size_t> present;
      for (size_t parent = 0; parent < parents_.size(); ++parent)
        if (row.states[parent] != absent_[parent])
          present.push_back(parent);
      if (present.size() > 1)
        return network_.error(row.place,
                              "{} is a noisy-max (property function max) with some rows of several "
                              "causes: give the row {} and those of each cause alone, or all rows",
                              text_, nameOf(absent_));
      ListedRow used = row;
      if (!useRow(used))
        return false;
      const bool isNew =
          present.empty() ? leak_.empty() : !alone_.contains({present[0], row.states[present[0]]});
      if (!isNew)
        return network_.error(row.place, "row {} of {} is given twice", nameOf(row.states), text_);
      if (!present.empty()) {
        alone_.emplace(std::pair(present[0], row.states[present[0]]), std::move(used));
        continue;
      }
      leak_ = below(used.numbers);
      leakRow_ = std::move(used.numbers);
    }
    return true;
  }

  /// Uses a row by the rule of all conditional tables.
  bool useRow(ListedRow &row) {
    const auto describe = [&] {
      return DescribedRow{network_.placeOf(row.place),
                          fmt::format("row {} of {}", nameOf(row.states), text_)};
    };
    const size_t errorsBefore = network_.diagnostics().errorCount();
    JudgedRows judged = network_.rows().judge({row.numbers, row.numbers.size(), row.numbers.size(),
                                               [&](uint64_t) { return describe(); }, describe});
    if (judged.divided.size() > row.numbers.size())
      return network_.error(row.place, "{}, divided by its sum, has a number that no double holds",
                            describe().text);
    if (!judged.divided.empty())
      row.numbers = std::move(judged.divided);
    return network_.diagnostics().errorCount() == errorsBefore;
  }

  bool haveAll() const {
    if (leak_.empty())
      return lacks(absent_);
    for (size_t parent = 0; parent < parents_.size(); ++parent)
      for (uint32_t state = 0; state < extentOf(parent); ++state)
        if (state != absent_[parent] && !alone_.contains({parent, state})) {
          std::vector<uint32_t> missing = absent_;
          missing[parent] = state;
          return lacks(missing);
        }
    return true;
  }

  bool lacks(const std::vector<uint32_t> &states) const {
    return network_.error(place_,
                          "{} is a noisy-max (property function max), and lacks the row {}: it "
                          "needs that of all causes absent, and of each cause alone",
                          text_, nameOf(states));
  }

  /// Returns the probabilities, by state, of this state or a lower one.
  static std::vector<double> below(std::span<const double> numbers) {
    std::vector<double> list;
    double sum = 0;
    for (const double number : numbers)
      list.push_back(sum += number);
    return list;
  }

  static std::vector<double> probabilities(const std::vector<double> &below) {
    std::vector<double> list;
    for (size_t i = 0; i < below.size(); ++i)
      list.push_back(std::max(0.0, below[i] - (i == 0 ? 0 : below[i - 1])));
    return list;
  }

  /// Appends the distribution that the cause has without the leak. Its cumulative probabilities are
  /// the quotients of those of the row and of the leak.
  bool appendAlone(size_t parent, uint32_t state, std::vector<double> &table) {
    std::vector<double> alone(leak_.size(), 1);
    if (const auto row = alone_.find({parent, state}); row != alone_.end()) {
      const std::vector<double> with = below(row->second.numbers);
      const double last = with.back() / leak_.back();
      double miss = 0; // in the numbers of the row
      for (size_t i = 0; i < alone.size(); ++i) {
        const double least = i == 0 ? 0 : alone[i - 1];
        alone[i] = std::clamp(leak_[i] == 0 ? 0 : with[i] / leak_[i], least, last);
        miss = std::max(miss, std::abs(with[i] - alone[i] * leak_[i]));
        if (miss > kMostRounding)
          return network_.error(row->second.place,
                                "{} is a noisy-max (property function max), and no cause makes row "
                                "{} of the leak: states of '{}' up to '{}' have {} here, {} there",
                                text_, nameOf(row->second.states),
                                network_.model().variable(child_).name,
                                network_.stateText(child_, i), with[i], leak_[i]);
      }
      misfits_ += miss > kRowSumTolerance ? 1 : 0;
      if (miss > kRowSumTolerance && miss > worstMiss_) {
        worstMiss_ = miss;
        worst_ = &row->second;
      }
    }
    const std::vector<double> list = probabilities(alone);
    table.insert(table.end(), list.begin(), list.end());
    return true;
  }

  void warnOfMisfits() const {
    if (worst_ != nullptr)
      network_.diagnostics().warning(
          network_.placeOf(worst_->place),
          "row {} of {}, a noisy-max (property function max), is {:.3g} off what a cause makes of "
          "the leak{}, and the nearest is taken",
          nameOf(worst_->states), text_, worstMiss_,
          misfits_ == 1 ? "" : fmt::format(", {} more rows by less", misfits_ - 1));
  }

  NetworkBuilder &network_;
  const VarId child_;
  const std::vector<VarId> &parents_;
  const std::span<const ListedRow> rows_;
  const SourceRange place_;
  const std::string text_;
  std::vector<uint32_t> absent_; ///< state of each parent that means "absent"
  std::vector<double> leak_;     ///< probabilities of this state or a lower one; empty: no row yet
  std::vector<double> leakRow_;  ///< as given
  std::map<std::pair<size_t, uint32_t>, ListedRow> alone_; ///< by parent and its state
  size_t misfits_ = 0; ///< rows that are not quite what a cause makes of the leak
  double worstMiss_ = 0;
  const ListedRow *worst_ = nullptr; ///< the row with the greatest difference
};

} // namespace

bool addNoisyRows(NetworkBuilder &network, VarId child, const std::vector<VarId> &parents,
                  std::span<const ListedRow> rows, SourceRange place) {
  return NoisyRows(network, child, parents, rows, place).add();
}

} // namespace mpf
