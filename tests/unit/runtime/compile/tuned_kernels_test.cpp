// Choices by measuring, stored on disk: round trip, parts of the key, damaged entries.
#include "runtime/compile/tuned_kernels.h"

#include "tests/unit/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace mpf;

namespace {

const TuningPlace kPlace{"NVIDIA H200, driver 13000", "sm_90", "13.0"};

BundleKernel kernelNamed(const std::string &name) {
  return {name, "plan of " + name, "source of " + name, 7, 128, 64, {}, {}};
}

TunedKernel sampleChoice() {
  TunedKernel tuned{kernelNamed("tile_b"), {{"tile_a", 12.5}, {"tile_b", 0.1 + 0.2}}};
  tuned.kernel.tuning = KernelTuning{2, 0.1 + 0.2, 12.5};
  return tuned;
}

/// Returns the only entry of the folder.
std::string entryIn(const std::string &folder) {
  for (const auto &file : std::filesystem::directory_iterator(folder))
    return file.path();
  return "";
}

} // namespace

TEST(TunedKernels, AStoredChoiceComesBackWhole) {
  const TemporaryFolder folder;
  EXPECT_FALSE(TunedKernels::any(folder.path()));
  TunedKernels tuned(kPlace, folder.path());
  EXPECT_FALSE(tuned.load(kernelNamed("tile_a")));
  ASSERT_TRUE(tuned.store(kernelNamed("tile_a"), sampleChoice()));
  EXPECT_TRUE(TunedKernels::any(folder.path()));
  const auto found = TunedKernels(kPlace, folder.path()).load(kernelNamed("tile_a"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kernel.name, "tile_b");
  EXPECT_EQ(found->kernel.source, "source of tile_b");
  EXPECT_EQ(found->kernel.plan, "plan of tile_b");
  EXPECT_EQ(found->kernel.gridBlocks, 7u);
  EXPECT_EQ(found->kernel.blockThreads, 128u);
  EXPECT_EQ(found->kernel.sharedBytes, 64u);
  ASSERT_TRUE(found->kernel.tuning);
  EXPECT_EQ(found->kernel.tuning->timeUs, 0.1 + 0.2);
  EXPECT_EQ(found->kernel.tuning->modelUs, 12.5);
  EXPECT_TRUE(found->wasMeasured("tile_a"));
  EXPECT_FALSE(found->wasMeasured("tile_c"));
  EXPECT_EQ(found->measured[1].timeUs, 0.1 + 0.2);
}

TEST(TunedKernels, AnotherKernelDeviceOrCompilerIsAnotherChoice) {
  const TemporaryFolder folder;
  TunedKernels(kPlace, folder.path()).store(kernelNamed("tile_a"), sampleChoice());
  BundleKernel other = kernelNamed("tile_a");
  other.source += " "; // another planner or emitter
  EXPECT_FALSE(TunedKernels(kPlace, folder.path()).load(other));
  for (const TuningPlace &place : {TuningPlace{"NVIDIA H100, driver 13000", "sm_90", "13.0"},
                                   TuningPlace{"NVIDIA H200, driver 13010", "sm_90", "13.0"},
                                   TuningPlace{"NVIDIA H200, driver 13000", "sm_80", "13.0"},
                                   TuningPlace{"NVIDIA H200, driver 13000", "sm_90", "13.1"}})
    EXPECT_FALSE(TunedKernels(place, folder.path()).load(kernelNamed("tile_a")));
}

TEST(TunedKernels, DamagedEntriesAreIgnoredWithANote) {
  const TemporaryFolder folder;
  for (const size_t keep : {0, 5, 41, 60, 120, 200}) {
    TunedKernels tuned(kPlace, folder.path());
    ASSERT_TRUE(tuned.store(kernelNamed("tile_a"), sampleChoice()));
    EXPECT_EQ(tuned.damagedNote(), "");
    std::filesystem::resize_file(entryIn(folder.path()), keep);
    EXPECT_FALSE(tuned.load(kernelNamed("tile_a"))) << "cut to " << keep << " bytes";
    EXPECT_NE(tuned.damagedNote().find("an entry in " + folder.path()), std::string::npos);
  }
}

TEST(TunedKernels, SoundFilesWithWrongContentsAreIgnoredToo) {
  const TemporaryFolder folder;
  TunedKernels tuned(kPlace, folder.path());
  tuned.store(kernelNamed("tile_a"), sampleChoice());
  const std::string stem = std::filesystem::path(entryIn(folder.path())).stem();
  const DiskCache disk(folder.path());
  Hash128 key;
  key.high = std::stoull(stem.substr(0, 16), nullptr, 16);
  key.low = std::stoull(stem.substr(16), nullptr, 16);
  ASSERT_EQ(key.hex(), stem);
  const std::string good = *disk.load(key, CacheKind::Choice);
  const std::string bundle = good.substr(good.find("\n\n") + 2);
  for (const std::string &contents :
       {std::string("nonsense"), std::string("\n"), "\n" + bundle,
        "candidate tile_a 12.5\n\n" + bundle,
        "candidate tile_a -1\ncandidate tile_b 1\n\n" + bundle,
        "candidate tile_b 1\ncandidate tile_a 2\n\n" + bundle, "candidate\n\n" + bundle,
        good.substr(0, good.size() - 1), good + "x"}) {
    disk.store(key, contents, CacheKind::Choice);
    EXPECT_FALSE(tuned.load(kernelNamed("tile_a"))) << contents.substr(0, 60);
  }
  disk.store(key, good, CacheKind::Choice);
  EXPECT_TRUE(tuned.load(kernelNamed("tile_a")));
  EXPECT_NE(tuned.damagedNote().find("9 entries"), std::string::npos);
}

TEST(TunedKernels, ACacheThatCannotBeWrittenCostsTheRememberingOnly) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() + "/file") << "not a folder";
  TunedKernels tuned(kPlace, folder.path() + "/file/below");
  EXPECT_FALSE(tuned.store(kernelNamed("tile_a"), sampleChoice()));
  EXPECT_FALSE(tuned.load(kernelNamed("tile_a")));
  EXPECT_EQ(tuned.damagedNote(), "");
}

TEST(TunedKernels, TheCacheCountsAndClearsThem) {
  const TemporaryFolder folder;
  TunedKernels(kPlace, folder.path()).store(kernelNamed("tile_a"), sampleChoice());
  const DiskCache disk(folder.path());
  ASSERT_EQ(disk.entries().size(), 1u);
  EXPECT_EQ(disk.entries().front().kind, CacheKind::Choice);
  EXPECT_EQ(disk.clear(), 1u);
  EXPECT_FALSE(TunedKernels::any(folder.path()));
}
