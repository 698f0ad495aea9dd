// What becomes of the error of one query while others are to be compiled: it is thrown, or the
// query is given up and the others go on.
#pragma once

#include "dsl/support/error.h"

#include <functional>
#include <string>

namespace mpf {

/// Whether an error is about one query alone: its text, its memory, what this version cannot
/// answer. Others would befall every query: a missing device, a failed verification, our own bugs.
bool concernsOneQuery(ErrorKind kind);

class RefusalPolicy {
public:
  using Collector = std::function<void(const std::string &query, const Error &error)>;

  /// Every error is thrown.
  RefusalPolicy() = default;
  /// Those that concern one query are collected, and so is std::bad_alloc, as Error(MemoryBound):
  /// counts and sizes are bounded before allocating, so that is the machine and not the input.
  explicit RefusalPolicy(Collector collect) : collect_(std::move(collect)) {}

  /// Does `work` for `query`; false: it was refused, and that was collected.
  bool attempt(const std::string &query, const std::function<void()> &work) const;

private:
  Collector collect_; ///< empty: nothing is collected
};

/// Says what std::bad_alloc does not.
inline constexpr const char *kOutOfMemory = "the system refused memory that the work takes";

} // namespace mpf
