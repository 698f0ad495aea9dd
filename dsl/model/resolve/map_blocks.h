// Map literals: `{ no: 0.8, yes: 0.2 }`, `{ (yes, 1): 3, no: [1, 2], default: 0 }`.
//
// The keys of an entry fix the first axes that are left, so an entry is a contiguous block of the
// map's entries; its value covers the other axes. `default` covers what no entry of its map does.
#pragma once

#include "dsl/model/resolve/build_context.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// How the blocks of a map are found, filled and named.
struct MapBlocks {
  std::string owner;             ///< "P(y | x)", in messages
  std::string_view axes;         ///< "variables", "axes"
  std::vector<uint64_t> lengths; ///< of the axes that are left
  /// Returns the index that a key means on an axis that is left; nothing after reporting.
  std::function<std::optional<uint64_t>(const ast::MapKey &, size_t axis)> indexOf;
  /// Returns the name of an entry of the map.
  std::function<std::string(uint64_t entry)> entryText;
  /// Fills the entries [offset, offset + size); returns false after reporting.
  std::function<bool(const ast::MapEntry &, uint64_t offset, uint64_t size)> fill;
  /// Fills the entries that are not `given` by the default; returns false after reporting.
  std::function<bool(const ast::MapEntry &, const std::vector<bool> &given)> fillRest;
};

/// Fills all entries of a map. Returns false after reporting, also of entries that are given twice
/// or not at all.
bool fillMapBlocks(BuildContext &context, const ast::MapLiteral &map, const MapBlocks &blocks);

} // namespace mpf
