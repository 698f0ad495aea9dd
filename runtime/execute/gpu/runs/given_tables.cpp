#include "runtime/execute/gpu/runs/given_tables.h"

#include "dsl/support/table_layout.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace mpf {

namespace {
/// The most bytes that are gathered; the copy of larger tables takes longer than gathering.
constexpr uint64_t kMostTogetherBytes = uint64_t{1} << 20;
constexpr uint64_t kTableStageBytes = uint64_t{8} << 20;
} // namespace

GivenTables::GivenTables(const CudaDevice &device, const Bundle &bundle, const DeviceMemory &work,
                         GpuStates &states, BesideStream &beside)
    : device_(device), bundle_(bundle), work_(work), states_(states), beside_(beside),
      stage_(device, kTableStageBytes) {}

void GivenTables::write(std::span<const GivenTable> tables, bool isRunning) {
  std::vector<Piece> pieces;
  for (const auto &[buffer, table] : tables) {
    const BundleBuffer &place = bundle_.buffer(buffer);
    const uint64_t bytes = place.sizeElems * elementBytes(bundle_.type);
    pieces.push_back({place.offsetBytes, bytes, table.entries});
    if (table.signs != nullptr)
      pieces.push_back({place.offsetBytes + bytes, place.sizeElems, table.signs});
    states_.give(buffer, table.state);
  }
  std::ranges::sort(pieces, {}, &Piece::offsetBytes);
  const CudaStream *const beside = isRunning && copiesOverlap(device_) ? &beside_.get() : nullptr;
  try {
    for (size_t first = 0, end = 0; first < pieces.size(); first = end) {
      // Tables begin at multiples of kTableGrainBytes, so no other table is in a smaller gap.
      const auto goesOn = [&] {
        const Piece &last = pieces[end - 1], &next = pieces[end];
        return next.offsetBytes - (last.offsetBytes + last.sizeBytes) < kTableGrainBytes &&
               next.offsetBytes + next.sizeBytes - pieces[first].offsetBytes <= kMostTogetherBytes;
      };
      for (end = first + 1; end < pieces.size() && goesOn();)
        ++end;
      upload(std::span(pieces).subspan(first, end - first), beside);
    }
    if (beside != nullptr && !pieces.empty())
      beside->holdDevice(); // a wait for the run then includes these copies
  } catch (...) {
    beside_.drain(); // the copies read the stage, which is used again
    device_.drain();
    throw;
  }
}

/// Uploads adjacent pieces.
void GivenTables::upload(std::span<const Piece> pieces, const CudaStream *beside) {
  const auto copy = [&](const void *from, uint64_t bytes, uint64_t offsetBytes) {
    if (beside != nullptr)
      beside->upload(work_, from, bytes, offsetBytes);
    else
      work_.upload(from, bytes, offsetBytes);
  };
  const uint64_t first = pieces.front().offsetBytes;
  const uint64_t bytes = pieces.back().offsetBytes + pieces.back().sizeBytes - first;
  if (std::byte *const room = bytes <= kMostTogetherBytes ? stage_.take(bytes) : nullptr) {
    for (const Piece &piece : pieces)
      std::memcpy(room + (piece.offsetBytes - first), piece.from, piece.sizeBytes);
    copy(room, bytes, first);
    return;
  }
  for (const Piece &piece : pieces)
    copy(piece.from, piece.sizeBytes, piece.offsetBytes);
  if (beside == nullptr) { // the caller owns their memory
    device_.synchronize();
    clearStage();
  }
}

} // namespace mpf
