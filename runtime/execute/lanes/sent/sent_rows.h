// Rows of bytes on their way to a device: as the file has them, or with two codes in a byte. The
// memory of the host bounds how fast they go. As they are, a byte is read from the file's pages,
// written to memory that the device reads, whose line is fetched for that first, and read by the
// device: four accesses. Packed, what is read from the file stays in the cache of the thread that
// packs it, and half as much is written, around the caches, and read: two.
#pragma once

#include "dsl/support/cases/byte_rows.h"
#include "dsl/support/cases/case_source.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace mpf {

/// The rows of a list that go to a device unread; null: the host reads them. Reading and packing
/// takes some 8 ns of processor time a row more than fetching does. But the kernel that turns rows
/// on the device takes half a millisecond to load, and where no cache has it, a fifth of a second
/// to compile. How large the blocks of the list are does not matter.
inline constexpr uint64_t kLeastUnreadRows = uint64_t{1} << 16;
const ByteRows *rowsToSend(const CaseSource &list);

/// How the codes of a list are sent. Packing pays for rows of any length: it takes less than what
/// it spares of accesses to memory. So every list is packed whose codes fit half a byte: at most 15
/// states, the last half byte for "not observed", which all columns say from the same byte on, 15
/// or above. Not packed are rows so long that a core's cache does not hold two. Columns that no
/// query reads are sent too: their bytes are to be checked like others.
uint32_t sentCodeBits(const ByteRows &rows); ///< 4 or 8

/// Of the rows of a list; none: it has no such rows.
inline std::optional<uint32_t> sentCodeBits(const ByteRows *rows) {
  return rows == nullptr ? std::nullopt : std::optional(sentCodeBits(*rows));
}

/// Of `count` rows, one after the other without a gap: a row may begin inside a byte.
size_t sentBytes(const ByteRows &rows, uint32_t count);

/// Puts the rows of `count` cases, from number `first` of the list on, into memory for a device.
/// Codes of four bits are as half_bytes.h has them: those that are neither a state nor "not
/// observed" of their variable, but below 15, are left for the device to find. False: the rows
/// cannot be read, or a byte is no code of any variable; reading them as cases says why.
bool fetchToSend(const ByteRows &rows, uint64_t first, uint32_t count, std::byte *to);

} // namespace mpf
