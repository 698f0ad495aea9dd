// Slots of a fake GPU (tests/support/fake_cuda.cpp) with little memory.
#include "runtime/execute/gpu/lanes/lane_slots.h"

#include "dsl/support/error.h"

#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <optional>
#include <set>
#include <thread>
#include <vector>

namespace mpf {
namespace {

class LaneSlotsTest : public testing::Test {
protected:
  void SetUp() override {
    if (std::getenv("MPF_FAKE_CUDA_LOG") == nullptr)
      GTEST_SKIP() << "run by CTest, which names the driver";
    setFull(false);
    device_.emplace(0);
  }
  void TearDown() override { setFull(false); }

  static void setFull(bool isFull) {
    if (isFull)
      ::setenv("MPF_FAKE_CUDA_FULL", "1", 1);
    else
      ::unsetenv("MPF_FAKE_CUDA_FULL");
  }

  static PartLayout layoutOf(uint32_t cases) { return PartLayout::of({4, 0, 8, 0, 0}, cases, 0); }
  std::optional<CudaDevice> device_;
};

TEST_F(LaneSlotsTest, WithoutRoomForTheFirstThereIsNone) {
  LaneSlots slots(*device_);
  setFull(true);
  EXPECT_EQ(slots.take(true, layoutOf(1000)), nullptr);
  EXPECT_EQ(slots.take(true, layoutOf(1000)), nullptr);
  EXPECT_TRUE(slots.isEmpty());
}

/// A caller needs a slot for its part; it waits for one that another caller returns.
TEST_F(LaneSlotsTest, WithoutRoomForAnotherCallersWaitForTheFirst) {
  LaneSlots slots(*device_);
  LaneSlot *const first = slots.take(true, layoutOf(1000));
  ASSERT_NE(first, nullptr);
  setFull(true);
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    slots.giveBack(*first);
  });
  EXPECT_EQ(slots.take(true, layoutOf(1000)), first);
  other.join();
  EXPECT_EQ(slots.take(false, layoutOf(1000)), nullptr);
  slots.giveBack(*first);
  EXPECT_EQ(slots.take(false, layoutOf(1000)), first);
}

/// A slot has equal memory on both sides; for rows, also the words that the device packs.
TEST_F(LaneSlotsTest, HaveRoomForThePartThatTheyAreTakenFor) {
  LaneSlots slots(*device_);
  LaneSlot *const slot = slots.take(false, layoutOf(1000));
  ASSERT_NE(slot, nullptr);
  EXPECT_EQ(slots.deviceBytes(), layoutOf(1000).sizeBytes);
  slots.giveBack(*slot);
  EXPECT_EQ(slots.take(false, layoutOf(10)), slot);
  EXPECT_EQ(slots.deviceBytes(), layoutOf(1000).sizeBytes);
  slots.giveBack(*slot);
  const PartLayout rows = PartLayout::of({4, 0, 8, 0, 0}, 5000, 5000);
  EXPECT_EQ(slots.take(false, rows), slot);
  EXPECT_EQ(slots.deviceBytes(), rows.sizeBytes + rows.wordBytes);
  EXPECT_EQ(rows.wordBytes, 4 * rows.pitch);
  slot->count = 5000;
  slot->layout = rows;
  EXPECT_EQ(slot->pointers().codes, slot->words.address());
  EXPECT_EQ(slot->pointers().results, slot->memory.address() + rows.results);
  slots.giveBack(*slot);
}

/// A slot that cannot grow is still available for smaller parts.
TEST_F(LaneSlotsTest, ThatTheDeviceRefusesToEnlargeStay) {
  LaneSlots slots(*device_);
  LaneSlot *const slot = slots.take(false, layoutOf(1000));
  slots.giveBack(*slot);
  setFull(true);
  EXPECT_EQ(slots.take(true, layoutOf(2000)), nullptr);
  EXPECT_EQ(slots.deviceBytes(), 0u);
  setFull(false);
  EXPECT_EQ(slots.take(false, layoutOf(1000)), slot);
  EXPECT_EQ(slots.take(false, layoutOf(1000)), nullptr); // no more, once it has refused
  slots.giveBack(*slot);
}

/// Other errors are thrown, and the slot is available to other callers, which do not wait forever.
TEST_F(LaneSlotsTest, ThatTheDeviceFailsToEnlargeStay) {
  LaneSlots slots(*device_);
  LaneSlot *const slot = slots.take(false, layoutOf(1000));
  slots.giveBack(*slot);
  ::setenv("MPF_FAKE_CUDA_FULL", "700", 1);
  EXPECT_THROW(slots.take(true, layoutOf(2000)), Error);
  EXPECT_THROW(slots.take(true, layoutOf(2000)), Error);
  EXPECT_EQ(slots.deviceBytes(), 0u);
  setFull(false);
  EXPECT_EQ(slots.take(true, layoutOf(1000)), slot);
  slots.giveBack(*slot);
}

/// Several callers make slots at once: at most the allowed number, and each caller gets another.
TEST_F(LaneSlotsTest, AreMadeByManyCallersAtOnce) {
  LaneSlots slots(*device_);
  std::vector<LaneSlot *> taken(64);
  std::vector<std::thread> callers;
  for (LaneSlot *&mine : taken)
    callers.emplace_back([&] { mine = slots.take(false, layoutOf(1000)); });
  for (std::thread &caller : callers)
    caller.join();
  std::erase(taken, nullptr);
  EXPECT_EQ(taken.size(), 32u);
  EXPECT_EQ(std::set<LaneSlot *>(taken.begin(), taken.end()).size(), 32u);
  EXPECT_EQ(slots.deviceBytes(), 32 * layoutOf(1000).sizeBytes);
}

/// Small slots are released for large ones.
TEST_F(LaneSlotsTest, StayWithinTheirMemoryWhenPartsGrow) {
  LaneSlots slots(*device_);
  std::vector<LaneSlot *> small(8);
  for (LaneSlot *&slot : small)
    slot = slots.take(false, layoutOf(1000));
  for (LaneSlot *slot : small)
    slots.giveBack(*slot);
  const PartLayout large = PartLayout::of({0, 0, 60, 0, 0}, 1 << 20, 0); // four fit 256 MiB
  std::set<LaneSlot *> taken;
  while (LaneSlot *const slot = slots.take(false, large))
    taken.insert(slot);
  EXPECT_EQ(taken.size(), 4u);
  EXPECT_EQ(slots.deviceBytes(), 4 * large.sizeBytes + layoutOf(1000).sizeBytes); // one is left
  for (LaneSlot *slot : taken)
    slots.giveBack(*slot);
  EXPECT_TRUE(taken.contains(slots.take(false, large)));
}

/// The number of slots is limited by 256 MiB, but at least two.
TEST_F(LaneSlotsTest, AreAsManyAsTheirMemoryAllows) {
  const PartLayout layout = PartLayout::of({0, 0, 100, 0, 0}, 1 << 20, 0);
  LaneSlots slots(*device_);
  size_t count = 0;
  while (slots.take(false, layout) != nullptr)
    ++count;
  EXPECT_EQ(count, 2u);
}

/// The limit also holds when many callers make slots at once.
TEST_F(LaneSlotsTest, AreNoMoreOfManyCallersThanTheirMemoryAllows) {
  const PartLayout layout = PartLayout::of({0, 0, 60, 0, 0}, 1 << 20, 0);
  LaneSlots slots(*device_);
  std::vector<LaneSlot *> taken(16);
  std::vector<std::thread> callers;
  for (LaneSlot *&mine : taken)
    callers.emplace_back([&] { mine = slots.take(false, layout); });
  for (std::thread &caller : callers)
    caller.join();
  std::erase(taken, nullptr);
  EXPECT_EQ(taken.size(), 4u);
  EXPECT_EQ(slots.deviceBytes(), 4 * layout.sizeBytes);
}

TEST(PartLayoutTest, HasOneRangeThatGoesUpAndOneThatComesDown) {
  const PartLayout layout = PartLayout::of({40, 16, 8, 4, 12}, 1001, 0);
  EXPECT_EQ(layout.pitch, 1024u);
  EXPECT_EQ(layout.weights, 40u * 1024);
  EXPECT_EQ(layout.refused, layout.weights + 16u * 1024);
  EXPECT_GE(layout.results, layout.refused + sizeof(uint32_t));
  EXPECT_EQ(layout.exponents, layout.results + 8u * 1024);
  EXPECT_EQ(layout.states, layout.exponents + 4u * 1024);
  EXPECT_EQ(layout.sizeBytes, layout.states + 12u * 1024);
  EXPECT_EQ(layout.upBytes(), layout.refused + sizeof(uint32_t));
  EXPECT_EQ(layout.refused + layout.downBytes(), layout.sizeBytes);
  EXPECT_EQ(layout.wordBytes, 0u);

  const PartLayout rows = PartLayout::of({40, 0, 8, 0, 0}, 1001, 1001 * 37 / 2 + 1);
  EXPECT_EQ(rows.wordBytes, 40u * 1024);
  EXPECT_GE(rows.refused, uint64_t{1001} * 37 / 2 + 1);
  for (const uint64_t offset : {rows.weights, rows.refused, rows.results, rows.exponents})
    EXPECT_EQ(offset % 256, 0u);
}

} // namespace
} // namespace mpf
