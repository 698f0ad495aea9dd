#include "dsl/support/zeroed_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace mpf {
namespace {

TEST(ZeroedMemory, IsZeroAlsoWhereItWasUsedBefore) {
  for (const size_t size : {1u, 100u, 5'000u, 300'000u})
    for (int round = 0; round < 3; ++round) {
      ZeroedVector<uint32_t> values(size);
      EXPECT_TRUE(std::ranges::all_of(values, [](uint32_t value) { return value == 0; })) << size;
      std::ranges::fill(values, 7);
      const ZeroedVector<uint32_t> copy = values;
      EXPECT_EQ(copy, values);
    }
  EXPECT_TRUE(ZeroedVector<uint32_t>(0).empty());
  EXPECT_EQ(ZeroedVector<uint32_t>(2, 9u), (ZeroedVector<uint32_t>{9, 9}));
}

TEST(ZeroedMemory, TooMuchIsRefused) {
  ZeroedAllocator<uint64_t> allocator;
  EXPECT_THROW(allocator.allocate(std::numeric_limits<size_t>::max() / 4), std::bad_alloc);
}

} // namespace
} // namespace mpf
