// Rows of conditional tables in a list of cases that do not sum to 1, and are taken as they stand.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

namespace mpf {

/// Any number of threads may call it.
class RowSumTally {
public:
  /// Counts a row. `rowText` names it, and is called if its sum is the farthest from 1 so far.
  void add(double sum, const std::function<std::string()> &rowText);
  /// The number of rows, and the worst with its sum, for a warning; empty: there was none.
  std::string text() const;

private:
  mutable std::mutex mutex_;
  uint64_t count_ = 0;
  double worst_ = 1;
  std::string row_;
};

} // namespace mpf
