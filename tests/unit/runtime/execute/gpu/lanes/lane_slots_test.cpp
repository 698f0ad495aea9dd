// Slots of a GPU that is not there (tests/support/fake_cuda.cpp), and whose memory ends.
#include "runtime/execute/gpu/lanes/lane_slots.h"

#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <optional>
#include <thread>

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

  static constexpr LaneCaseSize kSize{4, 0, 8, 0, 0};
  std::optional<CudaDevice> device_;
};

TEST_F(LaneSlotsTest, WithoutRoomForTheFirstThereIsNone) {
  LaneSlots slots(*device_, kSize, 1000);
  setFull(true);
  EXPECT_EQ(slots.take(true), nullptr);
  EXPECT_EQ(slots.take(true), nullptr);
  EXPECT_TRUE(slots.isEmpty());
}

/// Its caller has a part to answer: it needs one, and those that there are come back.
TEST_F(LaneSlotsTest, WithoutRoomForAnotherCallersWaitForTheFirst) {
  LaneSlots slots(*device_, kSize, 1000);
  LaneSlot *const first = slots.take(true);
  ASSERT_NE(first, nullptr);
  setFull(true);
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    slots.giveBack(*first);
  });
  EXPECT_EQ(slots.take(true), first);
  other.join();
  EXPECT_EQ(slots.take(false), nullptr);
  slots.giveBack(*first);
  EXPECT_EQ(slots.take(false), first);
}

} // namespace
} // namespace mpf
