// The owners that a trusted file or folder may have, and replacement by other users.
#include "dsl/support/error.h"
#include "dsl/support/files/file_input.h"
#include "dsl/support/files/file_output.h"
#include "dsl/support/files/trusted_path.h"
#include "tests/unit/temporary_folder.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace mpf {
namespace {

namespace fs = std::filesystem;

constexpr uid_t kStranger = 12345;

class TrustedPaths : public testing::Test {
protected:
  std::string make(const std::string &name, mode_t mode) {
    std::string path = folder_.path() + '/' + name;
    writeFile(path, name);
    EXPECT_EQ(::chmod(path.c_str(), mode), 0);
    return path;
  }
  std::string makeFolder(const std::string &name, mode_t mode) {
    std::string path = folder_.path() + '/' + name;
    fs::create_directory(path);
    EXPECT_EQ(::chmod(path.c_str(), mode), 0);
    return path;
  }

  TemporaryFolder folder_;
};

std::string faultOf(const std::string &path) { return TrustedProgram(path).fault(); }

PathTrust trustOf(const std::string &path, PathKind kind) {
  return TrustedPath(path, kind).trust();
}

TEST_F(TrustedPaths, BelongToTheUserAndAreOpenToNobodyElse) {
  EXPECT_EQ(trustOf(make("own", 0644), PathKind::File), PathTrust::Full);
  EXPECT_EQ(trustOf(make("group", 0664), PathKind::File), PathTrust::Open);
  EXPECT_EQ(trustOf(make("others", 0646), PathKind::File), PathTrust::Open);
  EXPECT_EQ(trustOf(makeFolder("mine", 0755), PathKind::Folder), PathTrust::Full);
  EXPECT_EQ(trustOf(makeFolder("all", 01777), PathKind::Folder), PathTrust::Open);
  EXPECT_EQ(trustOf(folder_.path() + "/none", PathKind::File), PathTrust::Missing);
  EXPECT_EQ(trustOf(folder_.path() + "/own", PathKind::Folder), PathTrust::OtherKind);
  EXPECT_EQ(trustOf(folder_.path() + "/mine", PathKind::File), PathTrust::OtherKind);
  EXPECT_EQ(trustOf("/dev/null", PathKind::File), PathTrust::OtherKind);
}

TEST_F(TrustedPaths, FollowNoLink) {
  fs::create_symlink(make("file", 0644), folder_.path() + "/link");
  EXPECT_EQ(trustOf(folder_.path() + "/link", PathKind::File), PathTrust::OtherKind);
  fs::create_symlink(makeFolder("folder", 0755), folder_.path() + "/way");
  EXPECT_EQ(trustOf(folder_.path() + "/way", PathKind::Folder), PathTrust::OtherKind);
}

TEST_F(TrustedPaths, OfOthersAreTheirs) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root gives files away";
  const std::string path = make("file", 0644), folder = makeFolder("folder", 0755);
  ASSERT_EQ(::chown(path.c_str(), kStranger, kStranger), 0);
  ASSERT_EQ(::chown(folder.c_str(), kStranger, kStranger), 0);
  EXPECT_EQ(trustOf(path, PathKind::File), PathTrust::Foreign);
  EXPECT_EQ(trustOf(folder, PathKind::Folder), PathTrust::Foreign);
  EXPECT_NE(faultOf(path), "");
  EXPECT_FALSE(keepsFiles(folder));
  try {
    requireTrust(TrustedPath(folder, PathKind::Folder), "the folder");
    FAIL() << "nothing was thrown";
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    EXPECT_STREQ(error.what(),
                 "the folder: nothing is compiled from here, because it belongs to another user");
  }
}

/// Makes root another user, until it is destroyed.
class AsStranger {
public:
  AsStranger() { EXPECT_EQ(::seteuid(kStranger), 0); }
  ~AsStranger() { EXPECT_EQ(::seteuid(0), 0); }
};

/// Every user trusts what belongs to the system.
TEST_F(TrustedPaths, OfRootAreTrustedByAll) {
  ASSERT_EQ(::chmod(folder_.path().c_str(), 0755), 0);
  const std::string path = make("file", 0644), folder = makeFolder("folder", 0755);
  if (::geteuid() != 0) { // files of a test are its user's: only root becomes another user
    EXPECT_EQ(trustOf("/usr", PathKind::Folder), PathTrust::Full);
    return;
  }
  const AsStranger stranger;
  EXPECT_EQ(trustOf(path, PathKind::File), PathTrust::Full);
  EXPECT_EQ(trustOf(folder, PathKind::Folder), PathTrust::Full);
}

/// Reads and writes reach the folder that was checked.
TEST_F(TrustedPaths, AreHeldWhereverTheirNameLeads) {
  const std::string first = makeFolder("first", 0755), second = makeFolder("second", 0755);
  writeFile(first + "/x", "of the first");
  writeFile(second + "/x", "of the second");
  const TrustedPath held(first, PathKind::Folder);
  fs::rename(first, folder_.path() + "/away");
  fs::create_symlink(second, first);
  EXPECT_EQ(readFile(held.heldPath() + "/x"), "of the first");
  writeFile(held.heldPath() + "/y", "new");
  EXPECT_TRUE(fs::exists(folder_.path() + "/away/y"));
  EXPECT_FALSE(fs::exists(second + "/y"));
}

/// The program that runs is the one that was checked.
TEST_F(TrustedPaths, ProgramsAreHeldWhereverTheirNameLeads) {
  const std::string closed = makeFolder("bin", 0755), open = makeFolder("shared", 0777);
  writeFile(closed + "/good", "good");
  writeFile(open + "/bad", "bad");
  fs::create_symlink(closed + "/good", open + "/cc");
  const TrustedProgram program(open + "/cc");
  EXPECT_EQ(program.fault(), "");
  EXPECT_EQ(program.realPath(), fs::canonical(closed + "/good"));
  fs::remove(open + "/cc");
  fs::create_symlink(open + "/bad", open + "/cc");
  fs::rename(closed, folder_.path() + "/away");
  EXPECT_EQ(readFile(fmt::format("/proc/self/fd/{}", program.descriptor())), "good");
}

TEST_F(TrustedPaths, OfProgramsIncludeTheirFolder) {
  const std::string closed = makeFolder("closed", 0755), open = makeFolder("open", 0777);
  const std::string sticky = makeFolder("sticky", 01777);
  for (const std::string &folder : {closed, open, sticky})
    writeFile(folder + "/cc", "#!/bin/sh");
  EXPECT_EQ(faultOf(closed + "/cc"), "");
  EXPECT_EQ(faultOf(sticky + "/cc"), "");
  EXPECT_NE(faultOf(open + "/cc").find("others can write to its folder"), std::string::npos);
  fs::create_symlink(open + "/cc", closed + "/link");
  EXPECT_NE(faultOf(closed + "/link"), "");
  fs::create_symlink(closed + "/cc", closed + "/good");
  EXPECT_EQ(faultOf(closed + "/good"), "");
  ASSERT_EQ(::chmod((closed + "/cc").c_str(), 0775), 0);
  EXPECT_EQ(faultOf(closed + "/cc"), "its group or others can write to it");
  EXPECT_EQ(faultOf(closed), "it is no file");
  EXPECT_EQ(faultOf(closed + "/none"), "it is not there");
}

} // namespace
} // namespace mpf
