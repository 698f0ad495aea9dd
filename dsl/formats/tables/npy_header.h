// The header of a NumPy .npy file (numpy/lib/format.py, versions 1.0 to 3.0).
//
//   "\x93NUMPY" major minor, header length (2 bytes in 1.0, else 4, little-endian), then the header
//   text {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), } and the entries.
//
// Entries may be records (structured types): 'descr': [('rain', '<i4'), ('', '|V4'), ('f', '<f8',
// (2, 3)), ...], where V is padding and a third item is the shape of an array in the record.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

enum class NpyKind { Bool, Signed, Unsigned, Float };

/// The type of a stored number: bool, an integer of 1 to 8 bytes, or a float of 2, 4 or 8 bytes.
struct NpyType {
  NpyKind kind = NpyKind::Float;
  uint32_t bytes = 8;
  bool bigEndian = false;
};

/// A named number in a record, or an array of numbers, the last index fastest.
struct NpyField {
  std::string name;
  NpyType type;
  uint32_t offset = 0;         ///< bytes from the start of the record
  std::vector<uint64_t> shape; ///< empty: a single number

  uint64_t elems() const; ///< saturates
};

struct NpyHeader {
  NpyType type;                 ///< type of an entry that is a number
  std::vector<NpyField> fields; ///< fields of an entry that is a record; empty: a number
  uint32_t itemBytes = 8;       ///< size of an entry
  bool fortranOrder = false;    ///< first index fastest
  std::vector<uint64_t> shape;
  size_t dataBegin = 0; ///< offset of the first entry in the file

  /// Product of the shape, saturating at UINT64_MAX.
  uint64_t elems() const;
  std::string shapeText() const { return shapeTextOf(shape); }
  /// "3, 4"
  static std::string shapeTextOf(const std::vector<uint64_t> &shape);
};

/// Longer headers are refused.
inline constexpr size_t kMaxNpyHeaderBytes = 65535;
/// The most bytes before the text of a header.
inline constexpr size_t kNpyPreludeBytes = 12;

/// Returns the number of bytes before the first entry. `start` has the first kNpyPreludeBytes of
/// the file, or all of a shorter one. Returns nothing, and sets `problem`, if it starts no .npy
/// file.
std::optional<size_t> npyHeaderBytes(std::string_view start, std::string &problem);

/// Reads the header at the start of `start`, which has at least npyHeaderBytes bytes. Returns
/// nothing, and sets `problem` to the reason, when something is wrong.
std::optional<NpyHeader> parseNpyHeader(std::string_view start, std::string &problem);

/// Says that `present` bytes follow the header, which are not as many as its shape needs.
std::string sizeProblem(const NpyHeader &header, uint64_t present);

/// Returns the header of version 1.0 for little-endian doubles. It is padded to at least `bytes`
/// bytes, so that headers of different shapes can have equal lengths.
std::string formatNpyHeader(const std::vector<uint64_t> &shape, size_t bytes = 0);

} // namespace mpf
