// Several queries on one command line: one that is refused does not take the others along.
#pragma once

#include "codegen/pipeline/refusal_policy.h"
#include "dsl/support/error.h"

#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace mpf::driver {

/// To stderr, as the process would end with it.
void sayError(const Error &error);

/// A query without an answer, and why.
struct Refusal {
  std::string query;
  std::string message;
  int exitCode = 0;
};

/// The queries of a command line that were given up, in the order in which that happened.
class Refusals {
public:
  /// What is asked for: it decides whether there are other queries to speak of.
  void setQueries(std::vector<std::string> names);
  size_t queries() const { return names_.size(); }
  /// Those refused, and those that are neither refused nor among `answered`, for want of time. Any
  /// thread may ask while another one goes on.
  std::vector<Refusal> withUnanswered(const std::vector<std::string> &answered) const;

  /// What concerns one query alone is reported at once and kept. This object outlives the policy.
  RefusalPolicy policy();
  /// Does `work` for `query`, by that policy.
  bool attempt(const std::string &query, const std::function<void()> &work) {
    return policy().attempt(query, work);
  }
  /// Reports it and keeps it.
  void add(std::string query, const Error &error);

  const std::vector<Refusal> &all() const { return refusals_; }
  /// The exit code of the first refusal; 0: nothing was refused.
  int exitCode() const { return refusals_.empty() ? 0 : refusals_.front().exitCode; }

private:
  mutable std::mutex mutex_;           ///< of changes, and of what another thread sees
  std::vector<std::string> names_{""}; ///< one query, as long as no name is known
  std::vector<Refusal> refusals_;
};

} // namespace mpf::driver
