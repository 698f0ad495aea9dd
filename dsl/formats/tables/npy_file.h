// Tables in NumPy .npy files: read for `file("h.npy")` in models, written as results for Python.
#pragma once

#include "dsl/model/table_file.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mpf {

/// The shape and entries of a .npy file, of which `file` is the whole contents. The entries are
/// converted to doubles in row-major order, from any type, byte order and index order of
/// npy_header.h. Nothing, and the reason in `problem`, for a broken header, NaN, a 64-bit integer
/// that no double holds, a bool other than 0 and 1, or more than `maxEntries` entries.
std::optional<TableFile> readNpy(std::string_view file, uint64_t maxEntries, std::string &problem);

/// The contents of a file of version 1.0 with little-endian doubles. values.size() is the product
/// of `shape`.
std::string formatNpy(const TableFile &table);

} // namespace mpf
