// What is added up over slices, and how (accumulate_slice.h).
#pragma once

#include "runtime/execute/host/table_view.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mpf {

/// A table that is written: entries and, for signed bundles, the sign plane behind them.
struct MutableTable {
  ElementType type = ElementType::F64;
  TableState *state = nullptr;
  uint64_t sizeElems = 0;
  std::byte *entries = nullptr;
  int8_t *signs = nullptr; ///< null: the bundle has no negative entries
};

struct SliceSum {
  Reduce reduce = Reduce::Sum;
  bool plain = false;              ///< max-sum, min-sum: entries as they are
  bool forcedLog = false;          ///< tables stay in log form
  bool first = false;              ///< nothing was added up yet: the slice is copied
  std::string_view operation = {}; ///< its name, for messages
};

} // namespace mpf
