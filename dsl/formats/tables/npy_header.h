// The header of a NumPy .npy file (numpy/lib/format.py, versions 1.0 to 3.0).
//
//   "\x93NUMPY" major minor, header length (2 bytes in 1.0, else 4, little-endian), then the header
//   text {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), } and the entries.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

enum class NpyKind { Bool, Signed, Unsigned, Float };

struct NpyHeader {
  NpyKind kind = NpyKind::Float;
  uint32_t itemBytes = 8;
  bool bigEndian = false;
  bool fortranOrder = false; ///< first index fastest
  std::vector<uint64_t> shape;
  size_t dataBegin = 0; ///< offset of the first entry in the file

  /// Product of the shape, saturating at UINT64_MAX.
  uint64_t elems() const;
};

/// Reads the header of a whole file and checks that the entries fill the rest of it exactly.
/// Accepted types are bool, integers of 1 to 8 bytes and floats of 2, 4 and 8 bytes. Nothing, and
/// the reason in `problem`, when something is wrong.
std::optional<NpyHeader> readNpyHeader(std::string_view file, std::string &problem);

} // namespace mpf
