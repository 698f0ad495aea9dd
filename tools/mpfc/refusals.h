// Several queries on one command line: one that is refused does not take the others along.
#pragma once

#include "dsl/support/error.h"

#include <cstddef>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace mpf::driver {

/// Counts and sizes are bounded before allocating, so this is the machine, not the input.
inline constexpr const char *kOutOfMemory = "the system refused memory that the work takes";

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

  /// Does `work` for `query`. What concerns this query alone (its text, its memory, what this
  /// version cannot answer) is reported at once and kept: false. Rethrows what would befall every
  /// query: a missing device, a failed verification, our own bugs.
  template <class Work> bool attempt(std::string query, const Work &work) {
    try {
      work();
      return true;
    } catch (const Error &error) {
      if (!concernsOneQuery(error.kind()))
        throw;
      addAndGoOn(std::move(query), error);
      return false;
    } catch (const std::bad_alloc &) {
      addAndGoOn(std::move(query), Error(ErrorKind::MemoryBound, kOutOfMemory));
      return false;
    }
  }
  /// Reports it and keeps it.
  void add(std::string query, const Error &error);

  const std::vector<Refusal> &all() const { return refusals_; }
  /// Of the first; 0: there is none.
  int exitCode() const { return refusals_.empty() ? 0 : refusals_.front().exitCode; }

private:
  void addAndGoOn(std::string query, const Error &error);
  static bool concernsOneQuery(ErrorKind kind);

  mutable std::mutex mutex_;           ///< of changes, and of what another thread sees
  std::vector<std::string> names_{""}; ///< one query, as long as no name is known
  std::vector<Refusal> refusals_;
};

} // namespace mpf::driver
