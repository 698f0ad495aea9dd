// Memory limits from the texts of the system, and bounds that do not follow small changes.
#include "dsl/support/system/control_groups.h"
#include "dsl/support/system/memory_limits.h"
#include "dsl/support/system/system_text.h"
#include "tests/unit/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace mpf;

namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

TEST(SystemText, WhatCannotBeReadIsUnknown) {
  EXPECT_EQ(systemText("/nowhere/at/all"), "");
  EXPECT_EQ(systemText("/proc/self"), "") << "a folder: EISDIR";
  EXPECT_EQ(systemText("/proc/self/mem"), "") << "page 0: EIO";
  EXPECT_NE(systemText("/proc/self/status").find("VmSize:"), std::string::npos);
}

TEST(SystemText, TheWhole) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/text";
  const std::string text(20000, 'x');
  std::ofstream(path) << text;
  EXPECT_EQ(systemText(path), text);
}

TEST(MemoryLimits, LinesOfMeminfo) {
  const std::string text =
      "MemTotal:       8052588 kB\nMemAvailable:    1024 kB\nOdd: 12\nNone: kB\n";
  EXPECT_EQ(memoryLineBytes(text, "MemAvailable"), kMiB);
  EXPECT_EQ(memoryLineBytes(text, "MemTotal"), uint64_t{8052588} * 1024);
  EXPECT_EQ(memoryLineBytes(text, "Available"), std::nullopt) << "the end of another key";
  EXPECT_EQ(memoryLineBytes(text, "SwapFree"), std::nullopt);
  EXPECT_EQ(memoryLineBytes(text, "None"), std::nullopt);
  EXPECT_EQ(memoryLineBytes("MemAvailable:", "MemAvailable"), std::nullopt);
  EXPECT_EQ(memoryLineBytes("MemAvailable: 18446744073709551615 kB", "MemAvailable"), std::nullopt);
}

TEST(MemoryLimits, ThisMachineHasSome) {
  const MemoryLimits limits = memoryLimits();
  EXPECT_GT(limits.availableBytes, kMiB);
  EXPECT_FALSE(limits.source.empty());
}

TEST(MemoryLimits, ASystemThatSaysNothing) {
  const MemoryLimits limits = memoryLimits(SystemMemory{.machineBytes = 5 * kMiB});
  EXPECT_EQ(limits.availableBytes, 5 * kMiB);
  EXPECT_EQ(limits.source, "memory of this machine");
  EXPECT_EQ(limits.addressBytes, UINT64_MAX);
}

TEST(MemoryLimits, AddressesAndData) {
  SystemMemory system{.machineBytes = 1000 * kMiB};
  system.processStatus = "VmPeak:\t 999999 kB\nVmSize:\t   10240 kB\nVmData:\t    2048 kB\n";
  system.addressLimit = 100 * kMiB;
  EXPECT_EQ(memoryLimits(system).addressBytes, 90 * kMiB);
  EXPECT_EQ(memoryLimits(system).addressSource, "what is left of the address space");
  system.dataLimit = 50 * kMiB;
  EXPECT_EQ(memoryLimits(system).addressBytes, 48 * kMiB);
  EXPECT_EQ(memoryLimits(system).addressSource, "what is left of the limit of data");
  EXPECT_EQ(memoryLimits(system).availableBytes, 1000 * kMiB) << "what is touched is another thing";
  system.dataLimit = kMiB;
  EXPECT_EQ(memoryLimits(system).addressBytes, 0u);
}

TEST(MemoryLimits, AMachineThatCommitsNoMoreThanItHas) {
  SystemMemory system{.machineBytes = 1000 * kMiB};
  system.memInfo = "CommitLimit: 10240 kB\nCommitted_AS: 4096 kB\nSwapFree: 1024 kB\n";
  for (const char *mode : {"0\n", "1\n", ""}) {
    system.overcommit = mode;
    EXPECT_EQ(memoryLimits(system).addressBytes, UINT64_MAX);
  }
  system.overcommit = "2\n";
  EXPECT_EQ(memoryLimits(system).addressBytes, 6 * kMiB);
  EXPECT_EQ(memoryLimits(system).swapBytes, kMiB);
  system.userReserve = "131072\n";
  EXPECT_EQ(memoryLimits(system).addressBytes, 6 * kMiB - 6 * kMiB / 32);
  system.userReserve = "64\n";
  EXPECT_EQ(memoryLimits(system).addressBytes, 6 * kMiB - 64 * 1024);
  system.adminReserve = "1024\n";
  EXPECT_EQ(memoryLimits(system).addressBytes, 5 * kMiB - 64 * 1024);
  system.isAdmin = true;
  EXPECT_EQ(memoryLimits(system).addressBytes, 6 * kMiB - 64 * 1024);
}

TEST(MemoryLimits, HelpersTakeAnEighth) {
  EXPECT_EQ(helpersWithin(7, UINT64_MAX), 7u);
  EXPECT_EQ(helpersWithin(7, 100 * kMiB), 0u);
  uint64_t lastLeft = 0;
  for (uint64_t bytes = 0; bytes < 40000 * kMiB; bytes += 17 * kMiB + 1) {
    EXPECT_LE(helpersWithin(63, bytes) * kHelperBytes, helperBytes(63, bytes));
    EXPECT_GE(bytes - helperBytes(63, bytes), lastLeft);
    lastLeft = bytes - helperBytes(63, bytes);
  }
}

TEST(MemoryLimits, SteadyBytesFollowInSteps) {
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

/// Groups within groups, as systemd and containers make them.
class ControlGroups : public testing::Test {
protected:
  void write(const std::string &folder, const std::string &name, const std::string &text) {
    const auto path = std::filesystem::path(folder_.path()) / folder;
    std::filesystem::create_directories(path);
    std::ofstream(path / name) << text;
  }
  std::optional<uint64_t> left(const std::string &membership) const {
    return leftOfControlGroups(membership, folder_.path());
  }

  TemporaryFolder folder_;
};

TEST_F(ControlGroups, TheLeastOfAllAround) {
  write("", "memory.current", "1\n"); // the root has no limit
  write("a", "memory.max", "1000\n");
  write("a", "memory.current", "300\n");
  write("a", "memory.stat", "anon 200\ninactive_file 60\nactive_file 40\n");
  write("a/b", "memory.max", "max\n");
  write("a/b/c", "memory.max", "900\n");
  write("a/b/c", "memory.current", "10\n");
  EXPECT_EQ(left("0::/a/b/c\n"), 800u) << "a: 1000 - (300 - 100)";
  EXPECT_EQ(left("0::/a/b\n"), 800u);
  write("a/b/c", "memory.max", "400\n");
  EXPECT_EQ(left("0::/a/b/c\n"), 390u);
  EXPECT_EQ(left("0::/a/b\n"), 800u);
  EXPECT_EQ(left("0::/\n"), std::nullopt);
  EXPECT_EQ(left(""), std::nullopt);
}

TEST_F(ControlGroups, AContainerSeesItsOwnAsTheRoot) {
  write("", "memory.max", "500\n");
  write("", "memory.current", "600\n");
  EXPECT_EQ(left("0::/docker/0123\n"), 0u);
}

TEST_F(ControlGroups, VersionOne) {
  write("memory/x", "memory.limit_in_bytes", "700\n");
  write("memory/x", "memory.usage_in_bytes", "200\n");
  write("memory/x", "memory.stat", "active_file 1\ntotal_active_file 50\n");
  EXPECT_EQ(left("12:cpu,cpuacct:/y\n7:memory:/x/z\n0::/\n"), 550u);
  EXPECT_EQ(left("12:cpu,cpuacct:/x\nodd\n7:memory:/\n"), std::nullopt);
}

TEST_F(ControlGroups, BothVersionsAtOnce) {
  write("a", "memory.high", "300\n"); // beyond it the process is throttled to a standstill
  write("a", "memory.max", "500\n");
  write("memory/a", "memory.limit_in_bytes", "250\n");
  EXPECT_EQ(left("0::/a\n"), 300u);
  EXPECT_EQ(left("3:memory:/a\n0::/a\n"), 250u);
  write("memory/a", "memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(left("3:memory:/a\n0::/a\n"), 300u);
  write("a", "memory.high", "max\n");
  EXPECT_EQ(left("3:memory:/a\n0::/a\n"), 500u);
}

TEST_F(ControlGroups, AreOneOfTheLimits) {
  write("a", "memory.max", "104857600\n");
  write("a", "memory.current", "4194304\n");
  SystemMemory system{.machineBytes = 1000 * kMiB, .groupMembership = "0::/a\n"};
  system.groupsRoot = folder_.path();
  EXPECT_EQ(memoryLimits(system).availableBytes, 96 * kMiB);
  EXPECT_EQ(memoryLimits(system).source, "what is left of the control group's memory");
  system.memInfo = "MemAvailable: 20480 kB\n";
  EXPECT_EQ(memoryLimits(system).availableBytes, 20 * kMiB);
}

TEST_F(ControlGroups, LimitSwapToo) {
  const auto swapLeft = [this](const std::string &membership) {
    return swapLeftOfControlGroups(membership, folder_.path());
  };
  write("a", "memory.swap.max", "max\n");
  EXPECT_EQ(swapLeft("0::/a/b\n"), std::nullopt);
  write("a/b", "memory.swap.max", "0\n");
  EXPECT_EQ(swapLeft("0::/a/b\n"), 0u);
  write("a", "memory.swap.max", "1048576\n");
  write("a", "memory.swap.current", "524288\n");
  EXPECT_EQ(swapLeft("0::/a\n"), 524288u);
  SystemMemory system{.machineBytes = 1000 * kMiB, .groupMembership = "0::/a\n"};
  system.groupsRoot = folder_.path();
  system.memInfo = "SwapFree: 10240 kB\n";
  EXPECT_EQ(memoryLimits(system).swapBytes, 524288u);
  // Version 1 limits the sum of memory and swap.
  write("memory/x", "memory.limit_in_bytes", "700\n");
  write("memory/x", "memory.usage_in_bytes", "200\n");
  write("memory/x", "memory.memsw.limit_in_bytes", "1000\n");
  write("memory/x", "memory.memsw.usage_in_bytes", "250\n");
  EXPECT_EQ(swapLeft("7:memory:/x\n"), 250u) << "750 are left, 500 of them of memory";
  write("memory/x", "memory.memsw.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(swapLeft("7:memory:/x\n"), std::nullopt);
}

/// Existing files that cannot be read, as with EIO, mean no known limit and no error.
TEST_F(ControlGroups, UnreadableFilesSayNothing) {
  std::filesystem::create_directories(std::filesystem::path(folder_.path()) / "a" / "memory.max");
  EXPECT_EQ(left("0::/a\n"), std::nullopt);
}

} // namespace
