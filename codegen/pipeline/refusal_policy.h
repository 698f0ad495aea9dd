// Decides what happens to the error of one query while others are to be compiled: it is thrown, or
// the query is given up and the others go on.
#pragma once

#include "dsl/support/error.h"

#include <functional>
#include <string>

namespace mpf {

/// Whether an error is about one query alone: its text, its memory, or a query that this version
/// cannot answer. Other errors would occur in every query: a missing device, a failed verification,
/// a bug of mpf.
bool concernsOneQuery(ErrorKind kind);

class RefusalPolicy {
public:
  using Collector = std::function<void(const std::string &query, const Error &error)>;

  /// Throws every error.
  RefusalPolicy() = default;
  /// Collects errors that concern one query, and std::bad_alloc as Error(MemoryBound). Counts and
  /// sizes are bounded before allocating, so the machine causes std::bad_alloc, not the input.
  explicit RefusalPolicy(Collector collect) : collect_(std::move(collect)) {}

  /// Does `work` for `query`. Returns false if it was refused and the error collected.
  bool attempt(const std::string &query, const std::function<void()> &work) const;

private:
  Collector collect_; ///< empty: nothing is collected
};

/// The message for std::bad_alloc, which has none.
inline constexpr const char *kOutOfMemory = "the system refused memory that the work takes";

} // namespace mpf
