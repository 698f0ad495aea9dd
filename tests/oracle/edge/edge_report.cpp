#include "tests/oracle/edge/edge_report.h"

#include "tests/oracle/edge/edge_shrink.h"

#include <fmt/core.h>
#include <iterator>
#include <set>

namespace mpf::oracle {

namespace {

const char *outcomeText(EdgeOutcome outcome) {
  switch (outcome) {
  case EdgeOutcome::Right:
    return "right";
  case EdgeOutcome::Refused:
    return "refused";
  case EdgeOutcome::Wrong:
    return "wrong";
  case EdgeOutcome::NotANumber:
    return "NaN";
  case EdgeOutcome::Internal:
    return "internal";
  }
  return "?";
}

/// Keeps the examples of the first models.
void keep(EdgeFailures &failures, uint64_t model, const EdgeCase &edge) {
  failures.examples.try_emplace(model, edge);
  if (failures.examples.size() > EdgeFailures::kExamples)
    failures.examples.erase(std::prev(failures.examples.end()));
}

/// The kind of failure and the text of a failing case; the kind is empty if the case does not fail.
struct Failure {
  std::string kind, text;
};
Failure failureOf(const EdgeCase &edge) {
  const EdgeVerdict verdict = runCase(edge, exactAnswers(edge));
  return {verdict.isFailure() ? failureKind(edge, verdict) : "", verdict.text};
}

} // namespace

std::string failureKind(const EdgeCase &edge, const EdgeVerdict &verdict) {
  if (verdict.isError)
    return fmt::format("{}: {}", outcomeText(verdict.outcome), verdict.category);
  return fmt::format("{}: {} {}: {}", outcomeText(verdict.outcome), queryText(edge.query),
                     elementTypeName(edge.options.type), verdict.category);
}

void EdgeReport::add(uint64_t model, const EdgeCase &edge, const EdgeVerdict &verdict) {
  ++cases_;
  skippedEntries_ += verdict.skippedEntries;
  if (verdict.outcome == EdgeOutcome::Right)
    ++right_;
  if (verdict.outcome == EdgeOutcome::Refused)
    ++refusals_[verdict.text];
  if (!verdict.isFailure())
    return;
  EdgeFailures &failures = failures_[failureKind(edge, verdict)];
  ++failures.cases;
  failures.outcome = verdict.outcome;
  keep(failures, model, edge);
}

void EdgeReport::merge(const EdgeReport &other) {
  cases_ += other.cases_;
  right_ += other.right_;
  skippedEntries_ += other.skippedEntries_;
  for (const auto &[reason, count] : other.refusals_)
    refusals_[reason] += count;
  for (const auto &[kind, theirs] : other.failures_) {
    EdgeFailures &ours = failures_[kind];
    ours.cases += theirs.cases;
    ours.outcome = theirs.outcome;
    for (const auto &[model, edge] : theirs.examples)
      keep(ours, model, edge);
  }
}

std::string EdgeReport::table() const {
  std::map<EdgeOutcome, uint64_t> counts;
  for (const auto &[kind, failures] : failures_)
    counts[failures.outcome] += failures.cases;
  std::string text = fmt::format("{:>10} cases\n{:>10} right\n", cases_, right_);
  for (const auto &[reason, count] : refusals_)
    text += fmt::format("{:>10} refused: {}\n", count, reason);
  for (const EdgeOutcome outcome :
       {EdgeOutcome::Wrong, EdgeOutcome::NotANumber, EdgeOutcome::Internal})
    text += fmt::format("{:>10} {}\n", counts[outcome], outcomeText(outcome));
  text += fmt::format("{:>10} entries skipped: sums that cancel\n", skippedEntries_);
  for (const auto &[kind, failures] : failures_)
    text += fmt::format("{:>10} {} (first: model {})\n", failures.cases, kind,
                        failures.examples.begin()->first);
  return text;
}

std::string shrunkText(const EdgeFailures &failures, uint64_t seed) {
  std::string text;
  std::set<std::string> shown; // options
  for (const auto &[model, edge] : failures.examples) {
    const std::string kind = failureOf(edge).kind;
    const EdgeCase smallest =
        kind.empty() ? edge : shrinkCase(edge, [&kind](const EdgeCase &smaller) {
          return failureOf(smaller).kind == kind;
        });
    if (!shown.insert(optionsText(smallest.options)).second)
      continue;
    text += fmt::format("# --seed {} --only {}\n", seed, model);
    text += kind.empty() ? "# passes when it is run again\n" : "# " + failureOf(smallest).text;
    text += fmt::format("\n# {}\n", describe(smallest));
  }
  return text;
}

} // namespace mpf::oracle
