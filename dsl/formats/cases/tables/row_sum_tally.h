// Counts rows of conditional tables in a list of cases that do not sum to 1, but are accepted or
// divided.
#pragma once

#include "dsl/support/scaled_number.h"

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

namespace mpf {

/// A thread-safe counter of such rows.
class RowSumTally {
public:
  using RowText = std::function<std::string()>;

  /// Count a row that is accepted as it is, or was divided by its sum. `rowText` names it, and is
  /// called if its sum is the farthest from 1 so far.
  void addTaken(double sum, const RowText &rowText);
  void addDivided(const ScaledNumber &sum, const RowText &rowText);
  /// Return the number of rows, and the worst one with its sum, for a message; empty: no rows.
  std::string takenText() const;
  std::string dividedText() const;

private:
  struct Kind {
    uint64_t count = 0;
    ScaledNumber worst{1, 0};
    std::string row;
    void add(const ScaledNumber &sum, const RowText &rowText);
    std::string text(const char *one, const char *several) const;
  };

  mutable std::mutex mutex_;
  Kind taken_, divided_;
};

} // namespace mpf
