#include "dsl/model/diagonal.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

/// Calls `visit` with the number of each entry of the diagonal and its number in the written table.
template <class Visit>
void walkDiagonal(std::span<const uint32_t> extents, std::span<const uint32_t> places,
                  Visit visit) {
  const std::vector<uint32_t> own = diagonalExtents(extents, places);
  std::vector<uint64_t> strides(own.size(), 0);
  uint64_t stride = 1;
  for (size_t axis = extents.size(); axis-- > 0; stride *= extents[axis])
    strides[places[axis]] += stride;
  uint64_t elems = 1;
  for (const uint32_t extent : own)
    elems *= extent;
  std::vector<uint32_t> states;
  for (uint64_t entry = 0; entry < elems; ++entry) {
    statesAt(own, entry, states);
    uint64_t written = 0;
    for (size_t i = 0; i < states.size(); ++i)
      written += states[i] * strides[i];
    visit(entry, written);
  }
}

} // namespace

std::vector<uint32_t> placesOfAxes(const WrittenScope &scope) {
  std::vector<uint32_t> places;
  if (!scope.repeats())
    return places;
  std::vector<std::pair<VarId, uint32_t>> known;
  for (const VarId id : scope.variables)
    known.emplace_back(id, static_cast<uint32_t>(known.size()));
  std::ranges::sort(known);
  for (const VarId axis : scope.axes)
    places.push_back(
        std::ranges::lower_bound(known, axis, {}, &std::pair<VarId, uint32_t>::first)->second);
  return places;
}

std::vector<uint32_t> diagonalExtents(std::span<const uint32_t> extents,
                                      std::span<const uint32_t> places) {
  std::vector<uint32_t> own;
  for (size_t axis = 0; axis < extents.size(); ++axis)
    if (places[axis] == own.size()) // the first axis of the next variable
      own.push_back(extents[axis]);
  return own;
}

std::vector<double> diagonalValues(std::span<const double> values,
                                   std::span<const uint32_t> extents,
                                   std::span<const uint32_t> places) {
  uint64_t elems = 1;
  for (const uint32_t extent : extents)
    elems *= extent;
  std::vector<double> own;
  for (uint64_t first = 0; first < values.size(); first += elems) // exponents behind mantissas
    walkDiagonal(extents, places,
                 [&](uint64_t, uint64_t written) { own.push_back(values[first + written]); });
  return own;
}

std::vector<FormulaPart> diagonalParts(std::span<const FormulaPart> parts,
                                       std::span<const uint32_t> extents,
                                       std::span<const uint32_t> places) {
  std::vector<FormulaPart> own;
  const FormulaPart *last = nullptr; // the written part of the previous entry
  auto next = parts.begin();         // the entries of the written table ascend, too
  walkDiagonal(extents, places, [&](uint64_t entry, uint64_t written) {
    while (next != parts.end() && next->end <= written)
      ++next;
    const FormulaPart *const part =
        next != parts.end() && next->begin <= written ? &*next : nullptr;
    if (part != nullptr && part == last) {
      own.back().end = entry + 1;
    } else if (part != nullptr) {
      own.push_back({entry, entry + 1, part->expression});
      for (Instruction &instruction : own.back().expression.code)
        if (instruction.code == OpCode::State)
          instruction.slot = places[instruction.slot];
    }
    last = part;
  });
  return own;
}

} // namespace mpf
