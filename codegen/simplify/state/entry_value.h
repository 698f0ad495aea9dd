// Gives access to the number in an entry. Only algebra.cpp and table_arithmetic.cpp may include
// this header, because they take care of range and rounding (tests/layers/check_includes.py
// enforces it).
#pragma once

#include "codegen/simplify/state/entry_table.h"

namespace mpf {

struct EntryValue {
  static double of(Entry entry) { return entry.value_; }
};

} // namespace mpf
