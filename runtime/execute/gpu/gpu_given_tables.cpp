// Uploads tables of GpuProgram that another device computed. Small tables are gathered in locked
// memory (ICPP'10, section 4.4.2), and adjacent ones in the work arena are uploaded in one copy,
// because each copy costs some microseconds. During a run they are uploaded beside it.
#include "dsl/support/table_layout.h"
#include "runtime/execute/gpu/gpu_program.h"

#include <algorithm>
#include <cstring>

namespace mpf {

namespace {
/// The most bytes that are gathered; the copy of larger tables takes longer than gathering.
constexpr uint64_t kMostTogetherBytes = uint64_t{1} << 20;
} // namespace

void GpuProgram::writeTables(std::span<const GivenTable> tables) {
  std::vector<TablePiece> pieces;
  for (const auto &[buffer, table] : tables) {
    const BundleBuffer &place = bundle_.buffer(buffer);
    const uint64_t bytes = place.sizeElems * elementBytes(bundle_.type);
    pieces.push_back({place.offsetBytes, bytes, table.entries});
    if (table.signs != nullptr)
      pieces.push_back({place.offsetBytes + bytes, place.sizeElems, table.signs});
    givenStates_.emplace_back(buffer, table.state);
  }
  std::ranges::sort(pieces, {}, &TablePiece::offsetBytes);
  const bool goesBeside = isStarted_ && copiesOverlap(device_);
  if (goesBeside && !beside_)
    beside_.emplace(device_);
  const CudaStream *const beside = goesBeside ? &*beside_ : nullptr;
  try {
    for (size_t first = 0, end = 0; first < pieces.size(); first = end) {
      // Tables begin at multiples of kTableGrainBytes, so no other table is in a smaller gap.
      const auto goesOn = [&] {
        const TablePiece &last = pieces[end - 1], &next = pieces[end];
        return next.offsetBytes - (last.offsetBytes + last.sizeBytes) < kTableGrainBytes &&
               next.offsetBytes + next.sizeBytes - pieces[first].offsetBytes <= kMostTogetherBytes;
      };
      for (end = first + 1; end < pieces.size() && goesOn();)
        ++end;
      uploadPieces(std::span(pieces).subspan(first, end - first), beside);
    }
    if (goesBeside && !pieces.empty())
      beside_->holdDevice(); // a wait for the run then includes these copies
  } catch (...) {
    drain(); // the copies read the stage, which is used again
    throw;
  }
}

/// Uploads adjacent pieces.
void GpuProgram::uploadPieces(std::span<const TablePiece> pieces, const CudaStream *beside) {
  const auto upload = [&](const void *from, uint64_t bytes, uint64_t offsetBytes) {
    if (beside != nullptr)
      beside->upload(work_, from, bytes, offsetBytes);
    else
      work_.upload(from, bytes, offsetBytes);
  };
  const uint64_t first = pieces.front().offsetBytes;
  const uint64_t bytes = pieces.back().offsetBytes + pieces.back().sizeBytes - first;
  if (std::byte *const room = bytes <= kMostTogetherBytes ? given_.take(bytes) : nullptr) {
    for (const TablePiece &piece : pieces)
      std::memcpy(room + (piece.offsetBytes - first), piece.from, piece.sizeBytes);
    upload(room, bytes, first);
    return;
  }
  for (const TablePiece &piece : pieces)
    upload(piece.from, piece.sizeBytes, piece.offsetBytes);
  if (beside == nullptr)
    synchronize(); // the caller owns their memory
}

/// Uploads the states of given tables; in one copy if the states between them are known.
void GpuProgram::sendStates() {
  std::vector<size_t> buffers;
  for (const auto &[buffer, state] : givenStates_) {
    deviceStates_[buffer.index()] = state;
    buffers.push_back(buffer.index());
  }
  const auto *const states = reinterpret_cast<const std::byte *>(deviceStates_.data());
  for (const CopyRange &range : joinRanges(rangesOf(buffers), areStatesKnown_ ? stateBytes_ : 0))
    stage_.put(run_, states + range.firstBytes, range.sizeBytes, range.firstBytes);
  givenStates_.clear();
  areStatesKnown_ = false;
}

} // namespace mpf
