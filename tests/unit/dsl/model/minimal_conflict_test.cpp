#include "dsl/model/minimal_conflict.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace mpf {
namespace {

using Items = std::vector<size_t>;

/// Items hold together unless they include all of one of these sets.
bool holdsWithout(const std::vector<Items> &conflicts, std::span<const size_t> items) {
  return std::ranges::none_of(
      conflicts, [&](const Items &conflict) { return std::ranges::includes(items, conflict); });
}

TEST(MinimalConflict, IsAConflictAndNoPartOfItIs) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 500; ++trial) {
    const size_t count = 1 + random() % 12;
    std::vector<Items> conflicts;
    for (size_t i = 0; i <= random() % 3; ++i) {
      Items conflict;
      for (size_t item = 0; item < count; ++item)
        if (random() % 3 == 0)
          conflict.push_back(item);
      conflicts.push_back(conflict);
    }
    Items all(count);
    for (size_t i = 0; i < count; ++i)
      all[i] = i;
    const auto holds = [&](std::span<const size_t> items) -> std::optional<bool> {
      return holdsWithout(conflicts, items);
    };
    const MinimalConflict found = minimalConflict(count, holds);
    EXPECT_TRUE(found.isMinimal);
    EXPECT_FALSE(holdsWithout(conflicts, found.items));
    for (size_t left = 0; left < found.items.size(); ++left) {
      Items part = found.items;
      part.erase(part.begin() + static_cast<std::ptrdiff_t>(left));
      EXPECT_TRUE(holdsWithout(conflicts, part));
    }
  }
}

TEST(MinimalConflict, IsAConflictWhenAskingEndsEarly) {
  for (int most = 0; most < 12; ++most) {
    const std::vector<Items> conflicts = {{3, 17, 40}};
    int asked = 0;
    const MinimalConflict found =
        minimalConflict(64, [&](std::span<const size_t> items) -> std::optional<bool> {
          return asked++ < most ? std::optional(holdsWithout(conflicts, items)) : std::nullopt;
        });
    EXPECT_FALSE(found.isMinimal);
    EXPECT_FALSE(holdsWithout(conflicts, found.items));
  }
}

TEST(MinimalConflict, AsksFewTimes) {
  const std::vector<Items> conflicts = {{100, 900}};
  int asked = 0;
  const MinimalConflict found =
      minimalConflict(1000, [&](std::span<const size_t> items) -> std::optional<bool> {
        ++asked;
        return holdsWithout(conflicts, items);
      });
  EXPECT_EQ(found.items, (Items{100, 900}));
  EXPECT_LE(asked, 44);
}

} // namespace
} // namespace mpf
