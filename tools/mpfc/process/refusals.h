// Refused queries. When a command line asks for several queries, the others are still answered if
// one is refused.
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

/// Prints the error to stderr, as the process does when it ends with this error.
void sayError(const Error &error);

/// A query without an answer, and why.
struct Refusal {
  std::string query;
  std::string message;
  int exitCode = 0;
};

/// The refused queries of a command line, in the order of their refusal.
class Refusals {
public:
  /// Sets the names of all queries asked for, beside those that are refused already. Their number
  /// decides whether messages name the query.
  void setQueries(std::vector<std::string> names);
  size_t queries() const { return names_.size(); }
  const std::vector<std::string> &names() const { return names_; }
  /// Returns the refused queries, and those that are neither refused nor among `answered` because
  /// the time limit ended. Any thread may call it while another one works.
  std::vector<Refusal> withUnanswered(const std::vector<std::string> &answered) const;

  /// Returns a policy that reports and keeps errors that concern one query alone. This object must
  /// outlive the policy.
  RefusalPolicy policy();
  /// Calls `work` for `query` under that policy. Returns false when the query was refused.
  bool attempt(const std::string &query, const std::function<void()> &work) {
    return policy().attempt(query, work);
  }
  /// Reports an error of `query` and keeps it as a refusal.
  void add(std::string query, const Error &error);

  /// The same before setQueries is called with the other queries; says that these go on.
  void addEarly(std::string query, const Error &error);

  const std::vector<Refusal> &all() const { return refusals_; }
  /// Returns the exit code of the first refusal; 0 if there is none.
  int exitCode() const { return refusals_.empty() ? 0 : refusals_.front().exitCode; }

private:
  mutable std::mutex mutex_;           ///< guards changes, and reads from other threads
  std::vector<std::string> names_{""}; ///< one query without a name until setQueries is called
  std::vector<Refusal> refusals_;
};

} // namespace mpf::driver
