// The number in an entry, for those who answer for its digits: included by algebra.cpp and
// table_arithmetic.cpp alone (tests/layers holds that).
#pragma once

#include "codegen/simplify/state/entry_table.h"

namespace mpf {

struct EntryValue {
  static double of(Entry entry) { return entry.value_; }
};

} // namespace mpf
