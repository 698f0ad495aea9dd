// Stores one copy of each distinct table and of each formula. Stationary and noisy-or networks
// repeat thousands of tables. Later stages compare tables by their addresses.
#pragma once

#include "dsl/model/model.h"

#include <span>
#include <unordered_map>

namespace mpf {

/// A pool of tables. Not thread-safe. Tables are compared by their bits, so 0 and -0 are different.
class TablePool {
public:
  /// Returns the shared table with these entries; copies them if the pool has no such table.
  TableValues intern(std::span<const double> entries);
  /// Returns the shared table with these entries; moves them if the pool has no such table.
  TableValues intern(std::vector<double> &&entries);
  /// Returns the shared table with these entries; keeps `entries` if the pool has no such table,
  /// and says so in `isNew`.
  TableValues intern(TableValues entries, bool *isNew = nullptr);

private:
  TableValues find(uint64_t key, std::span<const double> entries) const;

  // The key is a hash. No code iterates over the multimap.
  std::unordered_multimap<uint64_t, TableValues> tables_;
};

/// A pool of formulas. Not thread-safe.
class FormulaPool {
public:
  /// Returns the shared formula with these extents, values (one object) and parts.
  std::shared_ptr<const TableFormula> intern(TableFormula formula);

private:
  // The key is a hash, in which constants of expressions have no part. Only looked up.
  std::unordered_multimap<uint64_t, std::shared_ptr<const TableFormula>> formulas_;
};

} // namespace mpf
