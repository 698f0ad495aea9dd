// The writer of files: files at their paths are complete and keep their modes, and no temporary
// file is left.
#include "dsl/support/error.h"
#include "dsl/support/files/file_input.h"
#include "dsl/support/files/file_output.h"
#include "dsl/support/files/temporary_names.h"
#include "dsl/support/files/write_all.h"
#include "dsl/support/system/file_descriptor.h"
#include "tests/unit/temporary_folder.h"

#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace mpf {
namespace {

namespace fs = std::filesystem;

class FileOutput : public testing::Test {
protected:
  std::string pathOf(const std::string &name) const { return folder_.path() + "/" + name; }
  size_t filesInFolder() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
  }
  static mode_t modeOf(const std::string &path) {
    struct stat status {};
    EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
    return status.st_mode & 07777;
  }
  static std::string failure(const std::string &path, const std::string &contents = "x") {
    try {
      writeFile(path, contents);
    } catch (const Error &error) {
      return error.what();
    }
    return "";
  }

  TemporaryFolder folder_;
};

TEST_F(FileOutput, ANewFileHasTheModeThatTheUmaskLeaves) {
  const mode_t before = ::umask(027);
  writeFile(pathOf("new"), "text");
  writeFile(pathOf("ours"), "text", {.expendable = true, .ownerOnly = true});
  ::umask(before);
  EXPECT_EQ(readFile(pathOf("new")), "text");
  EXPECT_EQ(modeOf(pathOf("new")), 0640u);
  EXPECT_EQ(modeOf(pathOf("ours")), 0600u);
  EXPECT_EQ(filesInFolder(), 2u);
}

TEST_F(FileOutput, AFileKeepsItsMode) {
  const std::string path = pathOf("secret");
  writeFile(path, "old");
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  writeFile(path, "new");
  EXPECT_EQ(readFile(path), "new");
  EXPECT_EQ(modeOf(path), 0600u);
}

TEST_F(FileOutput, ALinkStaysAndItsTargetIsReplaced) {
  fs::create_directory(pathOf("folder"));
  writeFile(pathOf("folder/target"), "old");
  fs::create_symlink("folder/target", pathOf("link"));
  fs::create_symlink("link", pathOf("second"));
  fs::create_symlink("none yet", pathOf("dangling"));
  writeFile(pathOf("second"), "new");
  writeFile(pathOf("dangling"), "made");
  EXPECT_TRUE(fs::is_symlink(pathOf("second")) && fs::is_symlink(pathOf("link")));
  EXPECT_EQ(readFile(pathOf("folder/target")), "new");
  EXPECT_EQ(readFile(pathOf("none yet")), "made");
  fs::create_symlink("loop", pathOf("loop"));
  EXPECT_NE(failure(pathOf("loop")), "");
}

TEST_F(FileOutput, ALinkOfAnotherUserIsNotFollowed) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "links of another user can be made by root only";
  writeFile(pathOf("victim"), "precious");
  fs::create_symlink("victim", pathOf("link"));
  ASSERT_EQ(::lchown(pathOf("link").c_str(), 65534, 65534), 0);
  EXPECT_EQ(failure(pathOf("link")), pathOf("link") + ": is not written: " + pathOf("link") +
                                         " is a link that another user made");
  EXPECT_EQ(readFile(pathOf("victim")), "precious");
}

TEST_F(FileOutput, NamesMayBeAsLongAsTheFileSystemTakes) {
  const std::string path = pathOf(std::string(255, 'n'));
  writeFile(path, "long");
  writeFile(path, "longer");
  EXPECT_EQ(readFile(path), "longer");
  EXPECT_EQ(filesInFolder(), 1u);
}

/// The signal of a limit on file sizes does not end the process; the write fails as on a full disk.
TEST_F(FileOutput, AWriteThatDoesNotFitLeavesTheOldFile) {
  const std::string path = pathOf("result");
  writeFile(path, "old");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{4096, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string found = failure(path, std::string(1 << 20, 'x'));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(found, path + ": cannot be written: File too large");
  EXPECT_EQ(readFile(path), "old");
  EXPECT_EQ(filesInFolder(), 1u);
}

TEST_F(FileOutput, AWriteThroughALinkThatDoesNotFitLeavesTheOldFile) {
  writeFile(pathOf("target"), "old");
  fs::create_symlink("target", pathOf("link"));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{4096, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string found = failure(pathOf("link"), std::string(1 << 20, 'x'));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_NE(found, "");
  EXPECT_EQ(readFile(pathOf("target")), "old");
  EXPECT_TRUE(fs::is_symlink(pathOf("link")));
  EXPECT_EQ(filesInFolder(), 2u);
}

/// While a writer waits for the reader of a pipe, another process replaces it by a link.
TEST_F(FileOutput, APipeThatBecomesALinkIsNotWritten) {
  const std::string pipe = pathOf("pipe"), victim = pathOf("victim");
  writeFile(victim, "old");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string found;
  std::thread writer([&] { found = failure(pipe, "new"); });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  fs::create_symlink("victim", pathOf("planted"));
  fs::rename(pathOf("planted"), pipe);
  writer.join();
  EXPECT_NE(found, "");
  EXPECT_EQ(readFile(victim), "old");
}

TEST_F(FileOutput, TemporaryFilesGoWhenTheProcessIsEnded) {
  const FileDescriptor folder(::open(folder_.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (const char *name : {"registered", "placed"})
    writeFile(pathOf(name), "x");
  {
    const TemporaryName registered(folder.number(), "registered");
    { const TemporaryName placed(folder.number(), "placed"); }
    removeTemporaryFiles();
  }
  EXPECT_FALSE(fs::exists(pathOf("registered")));
  EXPECT_TRUE(fs::exists(pathOf("placed"))) << "it has its final name by then";
}

TEST_F(FileOutput, AFolderThatMayNotBeListedCanBeWrittenTo) {
  fs::create_directory(pathOf("closed"));
  ASSERT_EQ(::chmod(pathOf("closed").c_str(), 0300), 0);
  writeFile(pathOf("closed/result"), "x");
  EXPECT_EQ(readFile(pathOf("closed/result")), "x");
  ASSERT_EQ(::chmod(pathOf("closed").c_str(), 0700), 0);
}

/// A terminal, for example, may be non-blocking because another program has set it so.
TEST_F(FileOutput, WaitsForReadersOfWhatDoesNotBlock) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
  const std::string text(1 << 20, 'x');
  std::thread writer([&] {
    EXPECT_EQ(writeAll(ends[1], text), 0);
    ::close(ends[1]);
  });
  ASSERT_EQ(::fcntl(ends[0], F_SETFL, 0), 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  size_t received = 0;
  std::vector<char> bytes(65536);
  for (ssize_t count = 0; (count = ::read(ends[0], bytes.data(), bytes.size())) > 0;)
    received += static_cast<size_t>(count);
  writer.join();
  ::close(ends[0]);
  EXPECT_EQ(received, text.size());
}

TEST_F(FileOutput, SaysWhatTheSystemSays) {
  EXPECT_EQ(failure(""), ": cannot be written: No such file or directory");
  EXPECT_EQ(failure(folder_.path()), folder_.path() + ": cannot be written: Is a directory");
  EXPECT_EQ(failure("/dev/full"), "/dev/full: cannot be written: No space left on device");
  if (::geteuid() != 0) {
    writeFile(pathOf("fixed"), "old");
    ASSERT_EQ(::chmod(pathOf("fixed").c_str(), 0444), 0);
    EXPECT_EQ(failure(pathOf("fixed")), pathOf("fixed") + ": cannot be written: Permission denied");
  }
}

TEST_F(FileOutput, WritesToAnOpenFileThatThePathNames) {
  const int file = ::open(pathOf("log").c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_GE(file, 0);
  ASSERT_EQ(::write(file, "one ", 4), 4);
  writeFile("/dev/fd/" + std::to_string(file), "two");
  ::close(file);
  EXPECT_EQ(readFile(pathOf("log")), "one two");
}

TEST_F(FileOutput, WritesToAPipeThatIsRead) {
  const std::string path = pathOf("pipe");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(failure(path), path + ": is a pipe that nobody has read from for 3 seconds");
  const std::string text(1 << 20, 'p');
  std::string read;
  std::thread reader([&] { read = readFile(path); });
  writeFile(path, text);
  reader.join();
  EXPECT_EQ(read, text);
  std::thread quitter([&] { // SIGPIPE does not end the process
    const int pipe = ::open(path.c_str(), O_RDONLY);
    char some[16];
    EXPECT_EQ(::read(pipe, some, sizeof some), 16);
    ::close(pipe);
  });
  EXPECT_EQ(failure(path, text), path + ": cannot be written: Broken pipe");
  quitter.join();
}

TEST_F(FileOutput, WritersOfOnePathLeaveOneWholeFile) {
  const std::string path = pathOf("shared");
  writeFile(path, std::string(100000, 'a'));
  std::atomic<int> broken{0};
  std::vector<std::thread> threads;
  for (const char letter : {'a', 'b', 'c', 'd'})
    threads.emplace_back([&, letter] {
      for (int i = 0; i < 50; ++i) {
        writeFile(path, std::string(100000, letter), {.expendable = true});
        const std::string found = readFile(path);
        broken += found != std::string(100000, found.front());
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(broken, 0);
  EXPECT_EQ(filesInFolder(), 1u);
}

} // namespace
} // namespace mpf
