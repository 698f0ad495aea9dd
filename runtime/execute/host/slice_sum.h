// The types of accumulate_slice.h: the table that slices are added to, and the way of adding.
#pragma once

#include "runtime/execute/host/table_view.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mpf {

/// A table to write: entries and, for signed bundles, the sign plane behind them.
struct MutableTable {
  ElementType type = ElementType::F64;
  TableState *state = nullptr;
  uint64_t sizeElems = 0;
  std::byte *entries = nullptr;
  int8_t *signs = nullptr; ///< null: the bundle has no negative entries
};

struct SliceSum {
  Reduce reduce = Reduce::Sum;
  bool plain = false;              ///< max-sum, min-sum: entries have no scales
  bool forcedLog = false;          ///< tables stay in log form
  bool first = false;              ///< true for the first slice, which is copied
  std::string_view operation = {}; ///< the operation's name, for messages
};

} // namespace mpf
