#include "dsl/formats/table_pool.h"

#include "dsl/support/hash.h"

#include <cstring>

namespace mpf {

TableValues TablePool::intern(std::span<const double> entries) {
  const uint64_t key = HashBuilder().addBytes(std::as_bytes(entries)).finish().low;
  const auto [first, last] = tables_.equal_range(key);
  for (auto candidate = first; candidate != last; ++candidate) {
    const std::vector<double> &known = *candidate->second;
    if (known.size() == entries.size() &&
        (entries.empty() || std::memcmp(known.data(), entries.data(), entries.size_bytes()) == 0))
      return candidate->second;
  }
  auto table = std::make_shared<const std::vector<double>>(entries.begin(), entries.end());
  tables_.emplace(key, table);
  return table;
}

} // namespace mpf
