// Collects the results of a campaign: counts, and the first case of every kind of failure.
#pragma once

#include "tests/oracle/edge/edge_run.h"

#include <cstdint>
#include <map>
#include <string>

namespace mpf::oracle {

/// Failures of one kind: their number, and one case for each of the first models that showed it.
/// One kind may have several causes.
struct EdgeFailures {
  static constexpr size_t kExamples = 4;
  uint64_t cases = 0;
  EdgeOutcome outcome = EdgeOutcome::Wrong;
  std::map<uint64_t, EdgeCase> examples; ///< by model
};

/// Collects verdicts. Merging gives the same report in any order, so it does not depend on the
/// threads.
class EdgeReport {
public:
  void add(uint64_t model, const EdgeCase &edge, const EdgeVerdict &verdict);
  void merge(const EdgeReport &other);

  uint64_t cases() const { return cases_; }
  bool hasFailures() const { return !failures_.empty(); }
  const std::map<std::string, EdgeFailures> &failures() const { return failures_; }
  /// Returns one table: cases, right, refused by reason, failures by kind, skipped entries.
  std::string table() const;

private:
  uint64_t cases_ = 0, right_ = 0, skippedEntries_ = 0;
  std::map<std::string, uint64_t> refusals_;     ///< by reason
  std::map<std::string, EdgeFailures> failures_; ///< by failureKind
};

/// Returns outcome, algebra and category; for an error, its message. Failures of one cause mostly
/// share it.
std::string failureKind(const EdgeCase &edge, const EdgeVerdict &verdict);

/// Returns the examples, shrunk while their kind of failure stays. Each has the command that
/// repeats it, and found and wanted values. Among those that end with the same options only the
/// first is shown.
std::string shrunkText(const EdgeFailures &failures, uint64_t seed);

} // namespace mpf::oracle
