#include "runtime/compile/disk_cache.h"

#include "tests/unit/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

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

TEST(DiskCache, WhatKilledWritersLeftIsCleared) {
  const TemporaryFolder folder;
  const DiskCache cache(folder.path());
  const Hash128 key = HashBuilder().add("key").finish();
  ASSERT_TRUE(cache.store(key, "contents"));
  for (const std::string &name : {std::string(".mpf-0123456789abcdef"), key.hex() + ".so.tmp1234"})
    std::ofstream(folder.path() + "/" + name) << "half";
  std::ofstream(folder.path() + "/notes.tmp") << "not ours";
  ASSERT_TRUE(cache.store(key, "contents")); // others may still be writing theirs
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 4);
  EXPECT_EQ(cache.clear(), 3u);
  EXPECT_TRUE(std::filesystem::exists(folder.path() + "/notes.tmp"));
}

TEST(DiskCache, UnwritableFolderOnlyCostsCaching) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() + "/file") << "not a folder";
  const DiskCache cache(folder.path() + "/file/below");
  EXPECT_FALSE(cache.store(keyOf(1), "x"));
  EXPECT_FALSE(cache.load(keyOf(1)));
  EXPECT_EQ(cache.clear(), 0u);
}

TEST(DiskCache, WhatOthersCanWriteToIsNotUsed) {
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/cache";
  const DiskCache cache(path);
  EXPECT_EQ(cache.fault(), ""); // it is not there yet
  ASSERT_TRUE(cache.store(keyOf(1), "machine code"));
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
  const fs::path entry = fs::directory_iterator(path)->path();
  EXPECT_EQ(fs::status(entry).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  const auto expectUnused = [&](const std::string &why) {
    EXPECT_NE(cache.fault().find(why), std::string::npos) << cache.fault();
    for (const CacheKind kind : {CacheKind::Cubin, CacheKind::Choice, CacheKind::Object}) {
      EXPECT_FALSE(cache.load(keyOf(1), kind));
      EXPECT_FALSE(cache.holds(keyOf(1), kind));
      EXPECT_FALSE(cache.holdsAny(kind));
      EXPECT_FALSE(cache.store(keyOf(2), "x", kind));
    }
    EXPECT_TRUE(cache.entries().empty());
    EXPECT_EQ(cache.clear(), 0u);
    EXPECT_TRUE(fs::exists(entry));
  };
  for (const fs::perms open : {fs::perms::group_write, fs::perms::others_write}) {
    fs::permissions(path, fs::perms::owner_all | open);
    expectUnused("chmod go-w");
    fs::permissions(path, fs::perms::owner_all);
    fs::permissions(entry, open, fs::perm_options::add); // only the entry
    EXPECT_EQ(cache.fault(), "");
    EXPECT_FALSE(cache.load(keyOf(1)));
    fs::permissions(entry, open, fs::perm_options::remove);
    EXPECT_TRUE(cache.load(keyOf(1)));
  }
  if (::geteuid() == 0) {
    constexpr uid_t kOther = 12345;
    ASSERT_EQ(::chown(path.c_str(), kOther, gid_t(-1)), 0);
    expectUnused("another user");
    ASSERT_EQ(::chown(path.c_str(), 0, gid_t(-1)), 0);
    ASSERT_EQ(::chown(entry.c_str(), kOther, gid_t(-1)), 0);
    EXPECT_FALSE(cache.load(keyOf(1)));
  }
  fs::create_directory_symlink(path, folder.path() + "/link");
  for (const char *link : {"/link", "/link/"})
    EXPECT_NE(DiskCache(folder.path() + link).fault().find("it is a link"), std::string::npos);
  EXPECT_FALSE(DiskCache("").store(keyOf(1), "x"));
  EXPECT_NE(DiskCache("").fault(), "");
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
