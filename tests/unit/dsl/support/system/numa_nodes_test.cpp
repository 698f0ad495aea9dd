// The NUMA nodes that a process uses, from a machine's description of itself.
#include "dsl/support/system/allowed_cores.h"
#include "dsl/support/system/numa_nodes.h"
#include "dsl/support/system/thread_count.h"
#include "tests/unit/temporary_folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace mpf {
namespace {

using Numbers = std::vector<unsigned>;

class NumaNodes : public testing::Test {
protected:
  void write(const std::string &path, const std::string &text) {
    const std::filesystem::path file = folder_.path() + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  Numbers nodesOf(const Numbers &cores) const { return numaNodesOf(cores, folder_.path()); }

  TemporaryFolder folder_;
};

TEST_F(NumaNodes, Lists) {
  EXPECT_EQ(numbersOfList("0-3,8,10-11\n"), (Numbers{0, 1, 2, 3, 8, 10, 11}));
  EXPECT_EQ(numbersOfList("7"), (Numbers{7}));
  EXPECT_EQ(numbersOfList("5,1-2,2"), (Numbers{1, 2, 5}));
  for (const char *text : {"", "\n", "a", "3-1", "1-", "-1", "1,", ",1", "1 2", "0-4294967295",
                           "0-1048576", "99999999999"})
    EXPECT_EQ(numbersOfList(text), Numbers()) << text;
}

TEST_F(NumaNodes, ThoseWhoseCoresAreAllowed) {
  write("/online", "0-2,4\n");
  write("/node0/cpulist", "0-3,16-19\n");
  write("/node1/cpulist", "4-7,20-23\n");
  write("/node2/cpulist", "\n"); // a node with memory only
  write("/node4/cpulist", "8-15\n");
  write("/node9/cpulist", "0-99\n"); // not online
  EXPECT_EQ(nodesOf({0, 1, 2}), (Numbers{0}));
  EXPECT_EQ(nodesOf({3, 4}), (Numbers{0, 1}));
  EXPECT_EQ(nodesOf({22, 8}), (Numbers{1, 4}));
  EXPECT_EQ(nodesOf({64}), Numbers());
  EXPECT_EQ(nodesOf({}), Numbers());
}

TEST_F(NumaNodes, WhereTheSystemSaysNothingThereAreNone) {
  EXPECT_EQ(nodesOf({0}), Numbers());
  write("/online", "0-1\n");
  EXPECT_EQ(nodesOf({0}), Numbers());
}

TEST(AllowedCores, AreAsManyAsAreCounted) {
  const Numbers cores = allowedCoreNumbers();
  ASSERT_FALSE(cores.empty());
  EXPECT_EQ(cores.size(), allowedCores());
  EXPECT_TRUE(std::is_sorted(cores.begin(), cores.end()));
  EXPECT_LE(numaNodes().size(), cores.size());
}

} // namespace
} // namespace mpf
