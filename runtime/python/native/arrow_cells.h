// The cells of one column of an Arrow array as codes of states.
#pragma once

#include "dsl/formats/cases/host/number_column.h"
#include "runtime/python/native/arrow_data.h"

#include <nanobind/nanobind.h>
#include <string>
#include <string_view>

namespace mpf::python {

/// A column: an array and its type. It does not own them.
struct ArrowColumn {
  const ArrowSchema *schema = nullptr;
  const ArrowArray *array = nullptr;
  int64_t offset = 0; ///< rows of the array before the first one

  bool isValid(int64_t row) const;
};

/// Sets the codes of rows from `first`. Returns the first case whose cell has no code, or -1.
/// Throws Error(Unsupported) for types other than bool, integers, float, double, texts, and
/// dictionaries of these.
int64_t setArrowCells(const StateReader &reader, const ArrowColumn &column, int64_t first,
                      const BlockCells &to);

/// Returns the cell as a Python object, for a message.
nanobind::object arrowCell(const ArrowColumn &column, int64_t row);

} // namespace mpf::python
