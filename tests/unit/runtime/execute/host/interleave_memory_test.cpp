// Pages of tables over NUMA nodes: the policy is set if the system allows it.
#include "runtime/execute/host/interleave_memory.h"

#include <array>
#include <gtest/gtest.h>
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace mpf {
namespace {

constexpr uint64_t kBytes = uint64_t{16} << 20;

TEST(InterleaveMemory, LeavesWhatGainsNothing) {
  const AlignedMemory large(kBytes, "a test"), small(4096, "a test"), none;
  EXPECT_FALSE(interleaveMemory(large, std::array{0U}));
  EXPECT_FALSE(interleaveMemory(large, {}));
  EXPECT_FALSE(interleaveMemory(small, std::array{0U, 1U}));
  EXPECT_FALSE(interleaveMemory(none, std::array{0U, 1U}));
}

TEST(InterleaveMemory, SetsThePolicyOfThePagesOrChangesNothing) {
  const AlignedMemory memory(kBytes, "a test");
  const bool isDone = interleaveMemory(memory, std::array{0U, 1U});
  for (uint64_t at = 0; at < kBytes; at += 4096) {
    ASSERT_EQ(memory.data()[at], std::byte{0});
    memory.data()[at] = std::byte{1};
  }
  if (!isDone)
    GTEST_SKIP() << "this system refuses memory policies";
  int mode = -1;
  ASSERT_EQ(::syscall(SYS_get_mempolicy, &mode, nullptr, 0UL, memory.data(), MPOL_F_ADDR), 0);
  EXPECT_EQ(mode, MPOL_INTERLEAVE);
}

} // namespace
} // namespace mpf
