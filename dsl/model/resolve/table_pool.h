// One copy of each distinct table, and of each formula of tables. Stationary and noisy-or networks
// repeat tables by the thousand. Later stages compare the addresses of tables to see that they are
// equal.
#pragma once

#include "dsl/model/model.h"

#include <span>
#include <unordered_map>

namespace mpf {

/// Not thread-safe. Tables are compared by their bits, so 0 and -0 are different.
class TablePool {
public:
  /// The shared table with these entries; they are copied when no table of the pool has them.
  TableValues intern(std::span<const double> entries);
  /// The same, moving the entries instead of copying them.
  TableValues intern(std::vector<double> &&entries);

private:
  TableValues find(uint64_t key, std::span<const double> entries) const;

  // A multimap, because the key is a hash. Never walked.
  std::unordered_multimap<uint64_t, TableValues> tables_;
};

/// Not thread-safe.
class FormulaPool {
public:
  /// The shared formula with these extents, values (the same object) and parts.
  std::shared_ptr<const TableFormula> intern(TableFormula formula);

private:
  // By the address of the values; looked up only.
  std::unordered_multimap<uint64_t, std::shared_ptr<const TableFormula>> formulas_;
};

} // namespace mpf
