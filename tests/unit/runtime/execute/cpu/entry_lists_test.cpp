// Lists of offsets, compared with the digits from which they are made.
#include "runtime/execute/cpu/entry_lists.h"

#include "runtime/execute/cpu/cpu_operation.h"
#include "runtime/execute/host/exponent_bits.h"

#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace mpf {
namespace {

TEST(EntryLists, AreTheAddressesInOrder) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 500; ++i) {
    std::vector<LoopDigit> digits(random() % 6);
    const size_t slots = 1 + random() % 4;
    for (LoopDigit &digit : digits) {
      digit.extent = 2 + random() % (random() % 8 == 0 ? 90 : 4);
      for (size_t s = 0; s < slots; ++s)
        digit.strides[s] =
            random() % 3 == 0 ? 0 : random() % (random() % 9 == 0 ? 1ULL << 40 : 999);
    }
    const EntryList list = EntryList::of(digits, slots);
    ASSERT_LE(list.count, EntryList::kMostAddresses);
    ASSERT_EQ(list.offsets.size(), list.count * slots);
    DigitLoop whole(digits, slots), outer(list.outer, slots);
    do {
      for (uint32_t at = 0; at < list.count; ++at) {
        for (size_t s = 0; s < slots; ++s)
          ASSERT_EQ(outer.offset(s) + list.offsets[at * slots + s], whole.offset(s));
        whole.next();
      }
    } while (outer.next());
    for (size_t s = 0; s < slots; ++s) // after the last
      ASSERT_EQ(whole.offset(s), 0u);
  }
}

TEST(ListPool, SharesTheListsOfEqualLoopsAlone) {
  ListPool pool;
  const auto listed = [&pool](uint64_t extent, uint64_t stride, uint8_t operands) {
    CpuOperation operation;
    operation.operandCount = operands;
    operation.kept = {{extent, {stride, 1}}};
    operation.reduced = {{2, {1, 0}}};
    pool.listEntries(operation);
    const EntryList kept = EntryList::of(operation.kept, operation.slotCount());
    EXPECT_EQ(operation.lists->kept.offsets, kept.offsets);
    const EntryList reduced = EntryList::of(operation.reduced, operation.operandCount);
    EXPECT_EQ(operation.lists->reduced.offsets, reduced.offsets);
    return operation.lists;
  };
  const auto first = listed(3, 2, 1);
  EXPECT_NE(listed(4, 2, 1), first);
  EXPECT_NE(listed(3, 5, 1), first);
  EXPECT_NE(listed(3, 2, 2), first) << "the result is another slot";
  EXPECT_EQ(listed(3, 2, 1), first);
  for (uint64_t extent = 5; extent < 40; ++extent) // more than the pool keeps
    listed(extent, 2, 1);
  EXPECT_EQ(listed(39, 2, 1), listed(39, 2, 1));
}

TEST(ExponentBits, SayWhatTheLibrarySays) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 20000; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (!std::isfinite(value) || value == 0)
      continue;
    ASSERT_EQ(exponentOf(value), std::ilogb(value));
    const auto narrow = std::bit_cast<float>(static_cast<uint32_t>(random()));
    if (std::isfinite(narrow) && narrow != 0) {
      ASSERT_EQ(exponentOf(narrow), std::ilogb(narrow));
    }
  }
  EXPECT_EQ(exponentOf(std::numeric_limits<double>::denorm_min()), -1074);
  for (int exponent = -1080; exponent <= 1030; ++exponent)
    ASSERT_EQ(powerOfTwo(exponent), std::ldexp(1.0, exponent));
}

} // namespace
} // namespace mpf
