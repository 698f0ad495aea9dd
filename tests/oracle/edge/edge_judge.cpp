#include "tests/oracle/edge/edge_judge.h"

#include "tests/oracle/edge/judge_entry.h"

#include <algorithm>
#include <fmt/core.h>

namespace mpf::oracle {

namespace {

class Judge {
public:
  Judge(const EdgeCase &edge, size_t run, const ExactAnswer &wanted, const Result &found)
      : model_(edge.modelOf(run)), query_(edge.query), wanted_(wanted), found_(found),
        plain_(wanted.semiring.combine == Combine::Plus &&
               wanted.semiring.reduce != Reduce::LogSum),
        tolerance_(model_, query_, edge.options.type) {}

  Judgement run() {
    zeroProbability();
    variables();
    if (found_.tables.size() != wanted_.tables.size())
      fault("other tables",
            fmt::format("{} tables for {}", found_.tables.size(), wanted_.tables.size()));
    for (const ResultTable &table : found_.tables)
      if (judgement_.fault.empty())
        judgeTable(table);
    if (query_.kind == QueryKind::Mpe && judgement_.fault.empty())
      assignment();
    return judgement_;
  }

private:
  void fault(std::string category, std::string text) {
    if (!judgement_.fault.empty())
      return;
    judgement_.category = std::move(category);
    judgement_.fault = std::move(text);
  }

  bool isZero(const ExactEntry &entry) const {
    return wanted_.semiring.combine == Combine::Times ? entry.value.isZero() : entry.zero;
  }
  bool isDoubtful(const ExactEntry &entry) const {
    return wanted_.semiring == Semiring{Reduce::Sum, Combine::Times} &&
           tolerance_.isDoubtful(entry);
  }

  /// The sum of a posterior's weights.
  static ExactEntry sumOf(const ExactTable &table) {
    ExactEntry sum;
    for (const ExactEntry &entry : table.entries) {
      sum.value += entry.value;
      sum.magnitude += entry.magnitude;
      sum.zero &= entry.zero;
    }
    return sum;
  }

  /// Some table is all zeros: then there are no posteriors.
  void zeroProbability() {
    bool zero = false;
    for (const auto &[name, table] : wanted_.tables) {
      zero |= std::all_of(table.entries.begin(), table.entries.end(),
                          [this](const ExactEntry &entry) { return isZero(entry); });
      for (const ExactEntry &entry : table.entries)
        doubtful_ |= isDoubtful(entry);
      doubtful_ |= table.normalised && isDoubtful(sumOf(table));
    }
    if (plain_)
      zero = false;
    if (doubtful_)
      ++judgement_.skippedEntries;
    else if (found_.zeroProbability != zero)
      fault(zero ? "zero probability is not said" : "zero probability is said",
            fmt::format("zeroProbability is {}, wanted {}", found_.zeroProbability, zero));
  }

  void variables() {
    if (found_.variables.size() != model_.variables.size())
      return fault("other variables", "not all variables came back");
    for (const Observation &seen : model_.evidence.observations())
      if (found_.evidence.state(seen.variable) != seen.state)
        fault("other evidence",
              fmt::format("{} is not in the state observed", model_.variable(seen.variable).name));
  }

  void judgeTable(const ResultTable &table) {
    // The query of a text has a name from the text: it has one table then.
    const auto at =
        wanted_.tables.size() == 1 ? wanted_.tables.begin() : wanted_.tables.find(table.name);
    if (at == wanted_.tables.end())
      return fault("other tables", "table " + table.name + " was not asked for");
    const ExactTable &wanted = at->second;
    if (table.extents.size() != wanted.scope.size())
      return fault("other axes", fmt::format("{} has {} axes", table.name, table.extents.size()));
    if (table.normalised && table.entries.empty()) {
      if (!found_.zeroProbability)
        fault("no posterior", table.name + " has no entries");
      return; // zeroProbability has been judged
    }
    if (table.entries.size() != wanted.entries.size())
      return fault("other entries", fmt::format("{} has {} entries, wanted {}", table.name,
                                                table.entries.size(), wanted.entries.size()));
    const ExactEntry sum = wanted.normalised ? sumOf(wanted) : ExactEntry{};
    if (wanted.normalised && (isDoubtful(sum) || sum.value.isZero())) {
      judgement_.skippedEntries += table.entries.size();
      return;
    }
    for (size_t i = 0; i < table.entries.size(); ++i)
      judgeEntry(table, i, wanted, sum);
  }

  void judgeEntry(const ResultTable &table, size_t i, const ExactTable &wanted,
                  const ExactEntry &sum) {
    const EntryFault found =
        wanted.normalised ? faultOfPosterior(table, i, wanted.entries[i], sum, tolerance_)
                          : faultOfEntry(table, i, wanted.entries[i], wanted_.semiring, tolerance_);
    if (found.category.empty())
      return;
    judgement_.isNan |= found.isNan;
    fault(found.category, found.text);
  }

  void assignment() {
    const ExactEntry &best = wanted_.tables.begin()->second.entries.front();
    if (found_.assignments.empty() != best.value.isZero())
      return fault("assignment",
                   found_.assignments.empty() ? "no assignment" : "an assignment of weight zero");
    if (found_.assignments.empty())
      return;
    const std::vector<uint32_t> &states = found_.assignments.front().states;
    bool fits = states.size() == model_.variables.size();
    for (size_t i = 0; fits && i < states.size(); ++i)
      fits = states[i] < model_.variables[i].extent;
    for (const Observation &seen : model_.evidence.observations())
      fits = fits && states[seen.variable.index()] == seen.state;
    if (!fits)
      return fault("assignment", "states outside the domains or the evidence");
    const ExactNumber weight = exactProductAt(model_, query_, states).value;
    // Two maxima are compared after rounding each: twice the tolerance.
    if (!isWithin(weight, best.value, tolerance_.of(best).shifted(1)))
      fault("assignment is not the best",
            fmt::format("the assignment weighs {}, the best {}", weight.text(), best.value.text()));
  }

  const Model &model_;
  const Query &query_;
  const ExactAnswer &wanted_;
  const Result &found_;
  bool plain_;
  Tolerance tolerance_;
  bool doubtful_ = false;
  Judgement judgement_;
};

} // namespace

Judgement judge(const EdgeCase &edge, size_t run, const ExactAnswer &wanted, const Result &found) {
  return Judge(edge, run, wanted, found).run();
}

} // namespace mpf::oracle
