// Tables in NumPy .npy files: read for `file("h.npy")` in models, written as results for Python.
#pragma once

#include "dsl/model/table_file.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mpf {

/// Returns the shape and entries of a .npy file with the contents `file`. The entries are doubles
/// in row-major order, converted from any type, byte order and index order of npy_header.h.
///
/// Returns nothing, and sets `problem` to the reason, for a broken header or more than `maxEntries`
/// entries. Wrong entries are NaN, 64-bit integers that no double holds, bools other than 0 and 1.
std::optional<TableFile> readNpy(std::string_view file, uint64_t maxEntries, std::string &problem);

/// Returns the contents of a file of version 1.0 with little-endian doubles. values.size() is the
/// product of `shape`.
std::string formatNpy(const TableFile &table);

} // namespace mpf
