// Where the buffers of a bundle lie on a GPU. Results lie where the bundle plans them. Inputs do
// too, unless some are packed (BundleBuffer::packed): a packed input takes only the space of its
// words.
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

  uint64_t inputBytes() const { return inputBytes_; } ///< of the input arena
  /// The offset of an entry in its arena; in a packed input, of the word that starts with the
  /// entry.
  uint64_t offsetBytes(BufferId buffer, uint64_t entry = 0) const;
  /// The offset of a buffer's first sign byte in its arena; packed inputs have no signs.
  uint64_t signOffsetBytes(BufferId buffer) const;

  /// The bytes of a buffer in its arena, with room for its signs.
  CopyRange rangeOf(BufferId buffer) const;

  /// Where inputs are packed, the input arena as the device stores it: writes into `image`, of
  /// inputBytes(), the inputs with a flag in `changed` (all, if that is empty), from the bundle's
  /// input arena (`entries`) and the states of its buffers. Throws Error(BadInput) naming the input
  /// for an entry that is neither zero nor one.
  void pack(std::span<const std::byte> entries, std::span<const TableState> states,
            std::span<const char> changed, std::span<std::byte> image) const;

private:
  const Bundle &bundle_;
  std::vector<uint64_t> offsetsBytes_; ///< by buffer
  uint64_t inputBytes_ = 0;
};

} // namespace mpf
