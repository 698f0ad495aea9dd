// The networks that are found in folders, and their evidence.
#include "tools/mpf-bench/networks/instance_list.h"

#include "dsl/support/error.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace mpf::bench {
namespace {

namespace fs = std::filesystem;

class InstanceList : public ::testing::Test {
protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / "mpf-instance-list";
    fs::remove_all(folder_);
    for (const char *name :
         {"bn/alarm.uai", "bn/alarm.bif.gz", "bn/alarm.e1.evid", "bn/alarm.MAR", "bn/big.bif.gz",
          "bn/big.uai.xz", "grids/90-14-1.uai", "grids/90-14-1.evid", "grids/90-14.uai",
          "old/pair.uai", "old/pair.uai.evid", "old/pair.evid", "bn/big.evid", "text/wet.mpf",
          "text/notes.txt"}) {
      fs::create_directories((folder_ / name).parent_path());
      std::ofstream(folder_ / name) << "\n";
    }
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::vector<std::string> found(const std::vector<std::string> &paths) const {
    std::vector<std::string> list;
    for (const NetworkInstance &instance : findInstances(paths))
      list.push_back(instance.name + ": " + fs::path(instance.model).filename().string() + " " +
                     fs::path(instance.evidence).filename().string());
    return list;
  }

  fs::path folder_;
};

TEST_F(InstanceList, OfAFolder) {
  EXPECT_EQ(
      found({folder_.string()}),
      (std::vector<std::string>{"bn/alarm: alarm.uai ", "bn/alarm.e1: alarm.uai alarm.e1.evid",
                                "bn/big: big.uai.xz big.evid", "grids/90-14: 90-14.uai ",
                                "grids/90-14-1: 90-14-1.uai 90-14-1.evid",
                                "old/pair: pair.uai pair.uai.evid", "text/wet: wet.mpf "}));
}

TEST_F(InstanceList, OfAFileWithTheEvidenceBesideIt) {
  EXPECT_EQ(found({(folder_ / "bn/alarm.bif.gz").string()}),
            (std::vector<std::string>{"bn/alarm: alarm.bif.gz ",
                                      "bn/alarm.e1: alarm.bif.gz alarm.e1.evid"}));
  EXPECT_EQ(found({(folder_ / "grids/90-14-1.uai").string()}),
            (std::vector<std::string>{"grids/90-14-1: 90-14-1.uai 90-14-1.evid"}));
}

TEST_F(InstanceList, OfWhatIsNotThere) {
  EXPECT_THROW(findInstances({(folder_ / "none").string()}), Error);
}

} // namespace
} // namespace mpf::bench
