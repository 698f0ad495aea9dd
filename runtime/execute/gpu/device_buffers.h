// Where the buffers of a bundle lie on a GPU: results as the bundle plans them, inputs too unless
// some are packed (BundleBuffer::packed), which then take the place of their words.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/table_state.h"

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
  /// Of entry `entry` in its arena; of a packed input, of the word that starts with it.
  uint64_t offsetBytes(BufferId buffer, uint64_t entry = 0) const;
  /// Of its sign plane's first byte in its arena; packed inputs have none.
  uint64_t signOffsetBytes(BufferId buffer) const;

  /// The input arena as the device has it, from the bundle's (`entries`) and the states of its
  /// buffers: `entries` itself where nothing is packed, else `kept`, in which the inputs whose flag
  /// in `changed` is set are written anew (all of them where it is empty). Throws Error(BadInput)
  /// naming the input for an entry that is neither zero nor one.
  std::span<const std::byte> image(std::span<const std::byte> entries,
                                   std::span<const TableState> states,
                                   std::span<const char> changed,
                                   std::vector<std::byte> &kept) const;

private:
  const Bundle &bundle_;
  std::vector<uint64_t> offsetsBytes_; ///< by buffer
  uint64_t inputBytes_ = 0;
};

} // namespace mpf
