#include "tools/mpf-bench/networks/campaign.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

namespace mpf::bench {

namespace {

bool hasAnswer(const NetworkRun &run) { return run.log10Value || !run.marginals.empty(); }

std::string marginalDifference(const NetworkRun &right, const NetworkRun &found) {
  if (right.marginals.size() != found.marginals.size())
    return fmt::format("{} marginals instead of {}", found.marginals.size(),
                       right.marginals.size());
  for (size_t v = 0; v < right.marginals.size(); ++v) {
    const std::vector<double> &a = right.marginals[v], &b = found.marginals[v];
    if (a.size() != b.size())
      return fmt::format("variable {} has {} states instead of {}", v, b.size(), a.size());
    for (size_t i = 0; i < a.size(); ++i)
      if (!(std::abs(a[i] - b[i]) <= kAnswerTolerance))
        return fmt::format("P(x{} = {}) is {:.9g} instead of {:.9g}", v, i, b[i], a[i]);
  }
  return {};
}

} // namespace

std::string answerDifference(const NetworkRun &right, const NetworkRun &found) {
  if (!hasAnswer(right) || !hasAnswer(found))
    return {};
  if (right.log10Value.has_value() != found.log10Value.has_value())
    return "an answer of another kind";
  if (!right.log10Value)
    return marginalDifference(right, found);
  const double a = *right.log10Value, b = *found.log10Value;
  const bool isSame = a == b || (std::isfinite(a) &&
                                 std::abs(a - b) <= kAnswerTolerance * std::max(1.0, std::abs(a)));
  return isSame ? std::string() : fmt::format("log10 is {:.12g} instead of {:.12g}", b, a);
}

void compareAnswers(TaskRuns &runs) {
  const auto right = std::ranges::find_if(
      runs.runs, [](const SolverRun &solver) { return hasAnswer(solver.run); });
  for (SolverRun &solver : runs.runs)
    solver.difference =
        right == runs.runs.end() ? std::string() : answerDifference(right->run, solver.run);
}

double SolverRun::compilingSeconds() const {
  return coldTotalSeconds == 0 ? 0 : std::max(0.0, coldOpeningSeconds - run.seconds.opening);
}

const SolverRun *TaskRuns::of(const std::string &solver) const {
  const auto at = std::ranges::find(runs, solver, &SolverRun::solver);
  return at == runs.end() ? nullptr : &*at;
}

bool TaskRuns::disagrees() const {
  return std::ranges::any_of(runs, [](const SolverRun &run) { return !run.difference.empty(); });
}

} // namespace mpf::bench
