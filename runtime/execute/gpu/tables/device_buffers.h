// The places of a bundle's buffers on a GPU. Results, and inputs if none is packed
// (BundleBuffer::packed), are at the bundle's offsets. A packed input takes only the space of its
// words, which moves the other inputs.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/table_state.h"
#include "runtime/execute/gpu/tables/copy_ranges.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

/// Immutable; the bundle must outlive it.
class DeviceBuffers {
public:
  explicit DeviceBuffers(const Bundle &bundle);

  uint64_t inputBytes() const { return inputBytes_; } ///< size of the input arena
  /// Returns the offset of an entry in its arena; for a packed input that of the word that starts
  /// with the entry.
  uint64_t offsetBytes(BufferId buffer, uint64_t entry = 0) const;
  /// Returns the offset of a buffer's first sign byte in its arena; packed inputs have no signs.
  uint64_t signOffsetBytes(BufferId buffer) const;

  /// Returns the range of a buffer in its arena, with room for its signs.
  CopyRange rangeOf(BufferId buffer) const;

  /// Writes the device's input arena, with packed inputs, to `image`, which has inputBytes(). Only
  /// inputs with a flag in `changed` are written, or all if it is empty. They come from the
  /// bundle's input arena (`entries`) and the states of its buffers. Throws Error(BadInput) with
  /// the input for an entry that is neither zero nor one.
  void pack(std::span<const std::byte> entries, std::span<const TableState> states,
            std::span<const char> changed, std::span<std::byte> image) const;

private:
  const Bundle &bundle_;
  std::vector<uint64_t> offsetsBytes_; ///< by buffer
  uint64_t inputBytes_ = 0;
};

} // namespace mpf
