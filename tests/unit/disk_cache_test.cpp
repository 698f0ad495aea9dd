#include "runtime/compile/disk_cache.h"

#include "tests/unit/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>

using namespace mpf;

namespace {
Hash128 keyOf(uint64_t number) { return HashBuilder().add(number).finish(); }
} // namespace

TEST(DiskCache, StoredEntriesComeBackWhole) {
  const TemporaryFolder folder;
  const DiskCache cache(folder.path());
  const std::string contents("cubin\0with zero", 15);
  EXPECT_FALSE(cache.load(keyOf(1)));
  EXPECT_TRUE(cache.store(keyOf(1), contents));
  EXPECT_EQ(cache.load(keyOf(1)), contents);
  EXPECT_FALSE(cache.load(keyOf(2)));
}

TEST(DiskCache, CorruptEntryIsAMissAndIsRemoved) {
  const TemporaryFolder folder;
  const DiskCache cache(folder.path());
  cache.store(keyOf(1), "machine code");
  const std::string path = folder.path() + "/" + keyOf(1).hex() + ".cubin";
  for (const size_t keep : {0, 5, 39, 45}) {
    cache.store(keyOf(1), "machine code");
    std::filesystem::resize_file(path, keep);
    EXPECT_FALSE(cache.load(keyOf(1))) << "cut to " << keep << " bytes";
    EXPECT_FALSE(std::filesystem::exists(path));
  }
  cache.store(keyOf(1), "machine code");
  std::fstream(path, std::ios::in | std::ios::out).seekp(44).put('X');
  EXPECT_FALSE(cache.load(keyOf(1)));
}

TEST(DiskCache, LeastRecentlyUsedGoFirst) {
  const TemporaryFolder folder;
  const DiskCache cache(folder.path(), 3500);
  const std::string kilobyte(1000, 'k');
  for (uint64_t i = 0; i < 3; ++i) {
    cache.store(keyOf(i), kilobyte);
    const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::hours(10 - i);
    std::filesystem::last_write_time(folder.path() + "/" + keyOf(i).hex() + ".cubin", old);
  }
  EXPECT_TRUE(cache.load(keyOf(0))); // a use makes it recent
  cache.store(keyOf(3), kilobyte);
  EXPECT_TRUE(cache.load(keyOf(0)));
  EXPECT_FALSE(cache.load(keyOf(1)));
  EXPECT_TRUE(cache.load(keyOf(3)));
}

TEST(DiskCache, UnwritableFolderOnlyCostsCaching) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() + "/file") << "not a folder";
  const DiskCache cache(folder.path() + "/file/below");
  EXPECT_FALSE(cache.store(keyOf(1), "x"));
  EXPECT_FALSE(cache.load(keyOf(1)));
  EXPECT_EQ(cache.clear(), 0u);
}

TEST(DiskCache, WritersOfOneKeyNeverShowHalfAFile) {
  const TemporaryFolder folder;
  const DiskCache cache(folder.path());
  const std::string contents(200000, 'c');
  cache.store(keyOf(1), contents);
  std::thread writer([&] {
    for (int i = 0; i < 50; ++i)
      cache.store(keyOf(1), contents);
  });
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(cache.load(keyOf(1)), contents);
  }
  writer.join();
}
