// Tables as NumPy .npy files: `file("h.npy")` in models, results for Python.
#pragma once

#include "dsl/model/table_file.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mpf {

/// The entries of a whole .npy file as doubles in row-major order, whatever its type, byte order
/// and index order. Refuses NaN, 64-bit integers that no double holds, bools other than 0 and 1,
/// and more than `maxEntries` entries. On failure gives nothing and sets `problem`.
std::optional<TableFile> readNpy(std::string_view file, uint64_t maxEntries, std::string &problem);

/// A version 1.0 file of little-endian doubles. The product of `shape` is values.size().
std::string formatNpy(const TableFile &table);

} // namespace mpf
