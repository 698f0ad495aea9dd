// Counts rows of conditional tables in a list of cases that do not sum to 1, but are accepted.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

namespace mpf {

/// A thread-safe counter of such rows.
class RowSumTally {
public:
  /// Counts a row. `rowText` names it, and is called if its sum is the farthest from 1 so far.
  void add(double sum, const std::function<std::string()> &rowText);
  /// Returns the number of rows, and the worst one with its sum, for a warning; empty: no rows.
  std::string text() const;

private:
  mutable std::mutex mutex_;
  uint64_t count_ = 0;
  double worst_ = 1;
  std::string row_;
};

} // namespace mpf
