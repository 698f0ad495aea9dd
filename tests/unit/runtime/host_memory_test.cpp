// What the machine says about its memory, and how plans are kept from following its every move.
#include "runtime/api/control_groups.h"
#include "runtime/api/host_memory.h"
#include "tests/unit/temporary_folder.h"

#include <filesystem>
#include <fstream>
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

} // namespace
