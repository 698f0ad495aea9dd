// The number of threads of a process: the machine's cores, and a container's share of them.
#include "dsl/support/system/control_groups.h"
#include "dsl/support/system/thread_count.h"
#include "tests/unit/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sched.h>
#include <thread>

namespace mpf {
namespace {

class CoreShares : public testing::Test {
protected:
  void write(const std::string &path, const std::string &text) {
    const std::filesystem::path file = folder_.path() + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  std::optional<double> share(const std::string &membership) const {
    return coresOfControlGroups(membership, folder_.path());
  }

  TemporaryFolder folder_;
};

TEST_F(CoreShares, WithoutLimitThereIsNone) {
  EXPECT_EQ(share("0::/a\n"), std::nullopt);
  write("/a/cpu.max", "max 100000\n");
  EXPECT_EQ(share("0::/a\n"), std::nullopt);
  write("/cpu,cpuacct/b/cpu.cfs_quota_us", "-1\n");
  write("/cpu,cpuacct/b/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(share("3:cpu,cpuacct:/b\n"), std::nullopt);
}

TEST_F(CoreShares, TheLeastOfTheGroupsAround) {
  write("/a/b/cpu.max", "400000 100000\n");
  EXPECT_EQ(share("0::/a/b\n"), 4.0);
  write("/a/cpu.max", "250000 100000\n");
  EXPECT_EQ(share("0::/a/b\n"), 2.5);
  EXPECT_EQ(share("0::/not/here\n"), std::nullopt);
  write("/cpu.max", "50000 100000\n");
  EXPECT_EQ(share("0::/not/here\n"), 0.5) << "in a container the root is its own group";
}

TEST_F(CoreShares, Version1) {
  write("/cpu/x/cpu.cfs_quota_us", "300000\n");
  write("/cpu/x/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(share("5:cpu:/x\n4:memory:/y\n"), 3.0);
}

TEST_F(CoreShares, WhatCannotBeUnderstoodIsNone) {
  write("/a/cpu.max", "100000\n");
  EXPECT_EQ(share("0::/a\n"), std::nullopt);
  write("/a/cpu.max", "100000 0\n");
  EXPECT_EQ(share("0::/a\n"), std::nullopt);
}

/// A separate thread changes its affinity, so that other threads keep their cores.
TEST(ThreadCount, CountsTheCoresThatTheThreadMayRunOn) {
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  EXPECT_EQ(allowedCores(), static_cast<unsigned>(CPU_COUNT(&all)));
  std::thread([&] {
    int first = 0;
    while (!CPU_ISSET(first, &all))
      ++first;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(allowedCores(), 1u);
    std::thread([] { EXPECT_EQ(allowedCores(), 1u) << "threads inherit it"; }).join();
  }).join();
  EXPECT_EQ(allowedCores(), static_cast<unsigned>(CPU_COUNT(&all)));
}

TEST(ThreadCount, IsWithinTheShare) {
  EXPECT_EQ(coresWithin(8, std::nullopt), 8u);
  EXPECT_EQ(coresWithin(8, 16.0), 8u);
  EXPECT_EQ(coresWithin(8, 2.0), 2u);
  EXPECT_EQ(coresWithin(8, 2.9), 2u);
  EXPECT_EQ(coresWithin(8, 0.25), 1u);
  EXPECT_EQ(coresWithin(0, std::nullopt), 1u);
  EXPECT_GE(threadCount(0), 1u);
  EXPECT_EQ(threadCount(5), 5u);
  EXPECT_EQ(threadCount(5000), kMostThreads);
}

} // namespace
} // namespace mpf
