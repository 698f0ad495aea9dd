// What a campaign found: counts, and the first case of every kind of failure.
#pragma once

#include "tests/oracle/edge/edge_run.h"

#include <cstdint>
#include <map>
#include <string>

namespace mpf::oracle {

/// Failures of one kind: how many, and a case each of the first models that showed it. One kind may
/// have several causes.
struct EdgeFailures {
  static constexpr size_t kExamples = 4;
  uint64_t cases = 0;
  EdgeOutcome outcome = EdgeOutcome::Wrong;
  std::map<uint64_t, EdgeCase> examples; ///< by model
};

/// Merging is the same in any order, so that the number of threads does not show.
class EdgeReport {
public:
  void add(uint64_t model, const EdgeCase &edge, const EdgeVerdict &verdict);
  void merge(const EdgeReport &other);

  uint64_t cases() const { return cases_; }
  bool hasFailures() const { return !failures_.empty(); }
  const std::map<std::string, EdgeFailures> &failures() const { return failures_; }
  /// Cases, right, refused by reason, failures by kind, skipped entries: one table.
  std::string table() const;

private:
  uint64_t cases_ = 0, right_ = 0, skippedEntries_ = 0;
  std::map<std::string, uint64_t> refusals_;     ///< by reason
  std::map<std::string, EdgeFailures> failures_; ///< by failureKind
};

/// Outcome, algebra and category, of an error its message: what failures of one cause mostly share.
std::string failureKind(const EdgeCase &edge, const EdgeVerdict &verdict);

/// The examples shrunk while their kind of failure stays, each with the command that repeats it and
/// with found and wanted values; of those that end with the same options only the first.
std::string shrunkText(const EdgeFailures &failures, uint64_t seed);

} // namespace mpf::oracle
