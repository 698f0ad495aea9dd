// One copy of each distinct table: stationary and noisy-or networks repeat tables by the thousand,
// and equal tables are found by address from here on (device buffers, kernels' inputs).
#pragma once

#include "dsl/model/model.h"

#include <span>
#include <unordered_map>

namespace mpf {

/// Not thread-safe. Tables are compared by bits, so 0 and -0 stay apart.
class TablePool {
public:
  /// A shared table with these entries, which are copied only when they are new.
  TableValues intern(std::span<const double> entries);
  /// The same without the copy: new entries are moved in.
  TableValues intern(std::vector<double> &&entries);

private:
  TableValues find(uint64_t key, std::span<const double> entries) const;

  // A multimap, because the key is a hash. Only looked up, never walked.
  std::unordered_multimap<uint64_t, TableValues> tables_;
};

} // namespace mpf
