// Adding up slices: sum = sum (+) slice, entry by entry, where the tables have scales of their own.
//
// Scales are powers of two, so bringing two linear tables to one scale loses nothing as long as the
// range of their exponents fits the type; otherwise the sum turns to log form, as any table does.
// Single-threaded, in the order of the entries: the result has the same bits on every executor.
#pragma once

#include "runtime/execute/host/table_view.h"

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

/// True when entry 0 of a maximum (minimum) is now that of this slice: it is the best one so far.
/// Of equal slices the first counts.
bool accumulateSlice(const SliceSum &how, const TableView &slice, const MutableTable &sum);

} // namespace mpf
