// What the machine says about its memory, and how plans are kept from following its every move.
#include "runtime/api/host_memory.h"

#include <gtest/gtest.h>

using namespace mpf;

namespace {

TEST(HostMemory, LinesOfMeminfo) {
  const std::string text =
      "MemTotal:       8052588 kB\nMemAvailable:    1024 kB\nOdd: 12\nNone: kB\n";
  EXPECT_EQ(memoryLineBytes(text, "MemAvailable"), uint64_t{1} << 20);
  EXPECT_EQ(memoryLineBytes(text, "MemTotal"), uint64_t{8052588} * 1024);
  EXPECT_EQ(memoryLineBytes(text, "SwapFree"), std::nullopt);
  EXPECT_EQ(memoryLineBytes(text, "None"), std::nullopt);
  EXPECT_EQ(memoryLineBytes("MemAvailable:", "MemAvailable"), std::nullopt);
  EXPECT_EQ(memoryLineBytes("MemAvailable: 18446744073709551615 kB", "MemAvailable"), std::nullopt);
}

TEST(HostMemory, ThisMachineHasSome) {
  const HostMemory memory = hostMemory();
  EXPECT_GT(memory.availableBytes, uint64_t{1} << 24);
  EXPECT_FALSE(memory.source.empty());
}

TEST(HostMemory, SteadyBytesFollowInSteps) {
  EXPECT_EQ(steadyBytes(0), 0u);
  EXPECT_EQ(steadyBytes(31), 31u);
  EXPECT_EQ(steadyBytes(uint64_t{1} << 40), uint64_t{1} << 40);
  EXPECT_EQ(steadyBytes((uint64_t{1} << 40) + 12345), uint64_t{1} << 40);
  for (uint64_t bytes = 32; bytes < uint64_t{1} << 50; bytes = bytes * 5 / 3) {
    EXPECT_LE(steadyBytes(bytes), bytes);
    EXPECT_GT(steadyBytes(bytes) + bytes / 16 + 1, bytes);
  }
  EXPECT_EQ(steadyBytes(UINT64_MAX), uint64_t{31} << 59);
}

} // namespace
