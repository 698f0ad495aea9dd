// BYTE ROWS: a list of cases whose rows hold a byte for each observed variable and nothing else, as
// arrays of NumPy do. A device can transpose and check them itself; the host then only fetches
// them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace mpf {

/// The byte of one variable.
struct RowByte {
  uint32_t place = 0;  ///< place in a row
  uint32_t states = 0; ///< number of the variable's states: smaller bytes are states
  uint32_t none = 0;   ///< this and greater bytes mean "not observed"; bytes from `states` to below
                       ///< it are refused

  /// Returns the code of a byte that is not refused, as in CaseBlock.
  uint32_t code(uint8_t byte) const { return std::min<uint32_t>(byte, states); }
  bool refuses(uint8_t byte) const { return byte >= states && byte < none; }
};

/// The rows of such a list. Several threads may fetch.
class ByteRows {
public:
  explicit ByteRows(std::vector<RowByte> bytes) : bytes_(std::move(bytes)) {}
  virtual ~ByteRows() = default;
  ByteRows(const ByteRows &) = delete;
  ByteRows &operator=(const ByteRows &) = delete;

  /// Returns the bytes of a row, by observed variable of the list's schema.
  const std::vector<RowByte> &bytes() const { return bytes_; }
  size_t rowBytes() const { return bytes_.size(); }
  /// Copies the rows of `count` cases, from number `first` of the list on. Returns false if they
  /// cannot be read; reading them as cases reports why.
  virtual bool fetch(uint64_t first, uint32_t count, std::byte *to) const = 0;

private:
  const std::vector<RowByte> bytes_;
};

} // namespace mpf
