#include "codegen/plan/arena/branch_arena.h"

#include "dsl/support/check.h"
#include "dsl/support/table_layout.h"

#include <algorithm>
#include <utility>

namespace mpf {

void BranchArena::add(Holes &holes, const Hole &hole) {
  auto next = std::ranges::lower_bound(holes, hole.offset, {}, &Hole::offset);
  if (next != holes.begin() && std::prev(next)->offset + std::prev(next)->size == hole.offset) {
    --next;
    next->size += hole.size;
  } else {
    next = holes.insert(next, hole);
  }
  const auto after = std::next(next);
  if (after != holes.end() && next->offset + next->size == after->offset) {
    next->size += after->size;
    holes.erase(after);
  }
}

size_t BranchArena::heirOf(size_t operation) {
  while (heir_[operation] != operation) {
    heir_[operation] = heir_[heir_[operation]]; // the next to ask has half the way
    operation = heir_[operation];
  }
  return operation;
}

void BranchArena::start(size_t operation, std::span<const size_t> producers) {
  heir_[operation] = current_ = operation;
  Holes &own = holes_[operation];
  for (const size_t producer : producers) {
    // Memory that another operation has inherited belongs to that operation's branch.
    if (heir_[producer] != producer || producer == operation)
      continue;
    Holes theirs = std::exchange(holes_[producer], {});
    if (own.size() < theirs.size())
      own.swap(theirs);
    for (const Hole &hole : theirs)
      add(own, hole);
    heir_[producer] = operation;
  }
}

uint64_t BranchArena::allocate(uint64_t sizeBytes, uint64_t alignBytes,
                               std::span<const std::pair<uint64_t, uint64_t>> apart) {
  MPF_CHECK(sizeBytes > 0 && alignBytes > 0, "{} bytes at multiples of {}", sizeBytes, alignBytes);
  Holes &holes = holes_[current_];
  const auto isApart = [&](uint64_t start) {
    return std::ranges::none_of(apart, [&](const auto &stretch) {
      return start < stretch.first + stretch.second && stretch.first < start + sizeBytes;
    });
  };
  const Hole *best = nullptr;
  for (const Hole &hole : holes) {
    const uint64_t start = roundUp(hole.offset, alignBytes);
    if (start + sizeBytes <= hole.offset + hole.size &&
        (best == nullptr || hole.size < best->size) && isApart(start))
      best = &hole;
  }
  if (best == nullptr) {
    const bool extends = !holes.empty() && holes.back().offset + holes.back().size == endBytes_ &&
                         isApart(roundUp(holes.back().offset, alignBytes));
    const uint64_t begin = extends ? holes.back().offset : endBytes_;
    if (extends)
      holes.pop_back();
    const uint64_t start = roundUp(begin, alignBytes);
    if (start > begin)
      add(holes, {begin, start - begin});
    endBytes_ = start + sizeBytes;
    return start;
  }
  const Hole hole = *best;
  holes.erase(holes.begin() + (best - holes.data()));
  const uint64_t start = roundUp(hole.offset, alignBytes), end = start + sizeBytes;
  if (start > hole.offset)
    add(holes, {hole.offset, start - hole.offset});
  if (hole.offset + hole.size > end)
    add(holes, {end, hole.offset + hole.size - end});
  return start;
}

void BranchArena::release(uint64_t offsetBytes, uint64_t sizeBytes, std::span<const size_t> users) {
  if (std::ranges::all_of(users, [this](size_t user) { return heirOf(user) == current_; }))
    add(holes_[current_], {offsetBytes, sizeBytes});
}

} // namespace mpf
