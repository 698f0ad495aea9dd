// Arrays in NumPy .npy files: read for `file("h.npy")` in models, written as results for Python.
#pragma once

#include "dsl/formats/tables/stored_array.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace mpf {

/// Reads a .npy file piece by piece. The numbers are doubles in row-major order, converted from any
/// type, byte order and index order of npy_header.h. A float that is NaN is a missing number. If
/// the size of the file is known and its last index is the fastest, the numbers are in memory only
/// once.
///
/// Returns nothing, and sets `problem` to the reason, for a broken header or more than `maxEntries`
/// numbers. Refuses 64-bit integers that no double holds, and bools other than 0 and 1. Throws
/// Error(MemoryBound) before it takes more memory than there is.
std::optional<StoredArray> readNpy(const ByteInput &input, uint64_t maxEntries,
                                   std::string &problem);

/// Returns the contents of a file of version 1.0 with little-endian doubles. values.size() is the
/// product of `shape`.
std::string formatNpy(const std::vector<uint64_t> &shape, std::span<const double> values);

} // namespace mpf
