#include "runtime/execute/lanes/sent/sent_rows.h"

#include "runtime/execute/lanes/sent/half_bytes.h"

#include <algorithm>
#include <array>

namespace mpf {

namespace {

/// The size of a piece, which stays in a core's private cache and is large enough for cheap system
/// calls.
constexpr size_t kPieceBytes = size_t{128} << 10;

/// The rows of a piece are a multiple of this, so that half bytes fill whole bytes for any row.
constexpr uint32_t kLeastPieceRows = 2;

bool fetchHalfBytes(const ByteRows &rows, uint64_t first, uint32_t count, std::byte *to) {
  const uint32_t none = rows.bytes().front().none;
  const size_t rowBytes = rows.rowBytes();
  const auto pieceRows =
      static_cast<uint32_t>(kPieceBytes / rowBytes / kLeastPieceRows * kLeastPieceRows);
  alignas(64) std::array<std::byte, kPieceBytes> piece;
  for (uint32_t done = 0, fetched = 0; done < count; done += fetched) {
    fetched = std::min(pieceRows, count - done);
    if (!rows.fetch(first + done, fetched, piece.data()) ||
        !packHalfBytes(piece.data(), fetched * rowBytes, none, to + done * rowBytes / 2))
      return false;
  }
  return true;
}

} // namespace

const ByteRows *rowsToSend(const CaseSource &list) {
  return list.caseCount().value_or(0) >= kLeastUnreadRows ? list.byteRows() : nullptr;
}

uint32_t sentCodeBits(const ByteRows &rows) {
  const bool fits = std::ranges::all_of(rows.bytes(), [&](const RowByte &byte) {
    return byte.states <= kHalfByteNone && byte.none >= kHalfByteNone &&
           byte.none == rows.bytes().front().none;
  });
  return fits && rows.rowBytes() * kLeastPieceRows <= kPieceBytes ? 4 : 8;
}

size_t sentBytes(const ByteRows &rows, uint32_t count) {
  return (rows.rowBytes() * count * sentCodeBits(rows) + 7) / 8;
}

bool fetchToSend(const ByteRows &rows, uint64_t first, uint32_t count, std::byte *to) {
  if (sentCodeBits(rows) == 8)
    return rows.fetch(first, count, to);
  return fetchHalfBytes(rows, first, count, to);
}

} // namespace mpf
