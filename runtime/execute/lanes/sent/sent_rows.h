// Sends rows of bytes to a device: unchanged, or packed with two codes in a byte. The memory of the
// host bounds the speed.
//
// An unchanged byte takes four accesses: it is read from the file's pages, the line of the target
// is fetched, the byte is written, and the device reads it. A packed byte takes two: it stays in
// the cache of the thread that packs it, half as much is written around the caches, and the device
// reads that.
#pragma once

#include "dsl/support/cases/byte_rows.h"
#include "dsl/support/cases/case_source.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace mpf {

/// The least rows of a list that are sent to a device unread. Reading and packing takes some 8 ns
/// of processor time a row more than fetching. Half a millisecond for so many rows is about the
/// time to load the kernel that transposes rows on the device, from a cache. The size of the list's
/// blocks does not matter.
inline constexpr uint64_t kLeastUnreadRows = uint64_t{1} << 16;
/// Returns the rows of a list that are sent to a device unread; null: the host reads them.
const ByteRows *rowsToSend(const CaseSource &list);

/// Returns the bits of a code when a list is sent, 4 or 8. Packing pays for rows of any length,
/// because it costs less than the memory accesses that it saves.
///
/// A list is packed if its codes fit half a byte. That needs at most 15 states, and one byte, 15 or
/// above, from which on all columns have "not observed"; the last half byte encodes it. Rows of
/// which a core's cache does not hold two are not packed. Columns that the query does not read are
/// sent too, because their bytes must be checked.
uint32_t sentCodeBits(const ByteRows &rows);

/// Returns sentCodeBits of the rows, or none if `rows` is null.
inline std::optional<uint32_t> sentCodeBits(const ByteRows *rows) {
  return rows == nullptr ? std::nullopt : std::optional(sentCodeBits(*rows));
}

/// Returns the bytes of `count` rows without gaps: a row may begin inside a byte.
size_t sentBytes(const ByteRows &rows, uint32_t count);

/// Writes the rows of `count` cases, from number `first` of the list on, to memory for a device.
/// Codes of four bits are those of half_bytes.h. The device finds the codes below 15 that are
/// neither a state nor "not observed" of their variable.
///
/// Returns false if the rows cannot be read, or a byte is no code of any variable; reading them as
/// cases then reports the reason.
bool fetchToSend(const ByteRows &rows, uint64_t first, uint32_t count, std::byte *to);

} // namespace mpf
