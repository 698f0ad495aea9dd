// Child processes end when mpf ends, for any reason.
#include "runtime/compile/child_process.h"

#include "dsl/support/error.h"
#include "tests/unit/temporary_folder.h"

#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace mpf {
namespace {

using namespace std::chrono_literals;

/// Waits some time for the end of a process.
template <class Condition> bool soon(const Condition &condition) {
  for (int i = 0; i < 2000 && !condition(); ++i)
    std::this_thread::sleep_for(10ms);
  return condition();
}

/// Whether a process has ended; true too if its parent has not read the exit code.
bool hasEnded(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string text;
  std::getline(file, text);
  const size_t name = text.rfind(") ");
  return name == std::string::npos || text[name + 2] == 'Z';
}

constexpr int kExit = 0; ///< no signal

/// Runs a process in place of mpf. It starts a program that starts a child. A signal ends the
/// process, or it ends itself while another of its threads waits for the program.
class ChildProcessOwner : public testing::TestWithParam<int> {};

TEST_P(ChildProcessOwner, TakesTheProgramAndItsChildrenAlong) {
  const TemporaryFolder folder;
  const std::string pids = folder.path() + "/pids", scratch = folder.path() + "/scratch";
  std::filesystem::create_directory(scratch);
  const std::string script = fmt::format(
      "echo 1 > $TMPDIR/part.s; trap '' INT TERM; sleep 600 & echo $$ $! > {0}.new; mv {0}.new {0};"
      " wait",
      pids);
  const auto started = [&] { return std::filesystem::exists(pids); };
  const pid_t owner = ::fork();
  ASSERT_GE(owner, 0);
  if (owner == 0) {
    ::setenv("TMPDIR", scratch.c_str(), 1);
    std::thread([&] { runChild({.argv = {"/bin/sh", "-c", script}, .timeout = 600s}); }).detach();
    if (GetParam() == kExit)
      ::_exit(soon(started) ? 0 : 1);
    for (;;)
      ::pause();
  }
  ASSERT_TRUE(soon(started));
  if (GetParam() != kExit)
    ::kill(owner, GetParam());
  int status = 0;
  ASSERT_EQ(::waitpid(owner, &status, 0), owner);
  EXPECT_EQ(WIFSIGNALED(status) ? WTERMSIG(status) : kExit, GetParam());
  pid_t program = 0, itsChild = 0;
  std::ifstream(pids) >> program >> itsChild;
  ASSERT_GT(program, 0);
  ASSERT_GT(itsChild, 0);
  EXPECT_TRUE(soon([&] { return hasEnded(program); }));
  EXPECT_TRUE(soon([&] { return hasEnded(itsChild); }));
  EXPECT_TRUE(soon([&] { return std::filesystem::is_empty(scratch); }));
}

INSTANTIATE_TEST_SUITE_P(Ends, ChildProcessOwner, testing::Values(SIGINT, SIGTERM, SIGKILL, kExit));

ChildResult shell(const std::string &script, const std::string &resultName = "") {
  return runChild({.argv = {"/bin/sh", "-c", script}, .timeout = 60s, .resultName = resultName});
}

TEST(ChildProcess, LeavesNothingRunningWhenItEnds) {
  const ChildResult result = shell("sleep 600 & echo $!; exit 7");
  EXPECT_EQ(result.exitCode, 7);
  EXPECT_FALSE(result.timedOut);
  const pid_t left = std::atoi(result.output.c_str());
  ASSERT_GT(left, 0) << result.output;
  EXPECT_TRUE(soon([&] { return hasEnded(left); }));
}

TEST(ChildProcess, ItsFolderGoesWithIt) {
  const ChildResult result = shell("mkdir -p $TMPDIR/a/b; echo x > $TMPDIR/a/b/c; echo $TMPDIR");
  const std::string folder = result.output.substr(0, result.output.find('\n'));
  ASSERT_NE(folder.find("/mpf-"), std::string::npos) << result.output;
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(ChildProcess, GivesThePlainFileThatWasWanted) {
  EXPECT_EQ(shell("printf 'one\\0two' > $TMPDIR/made", "made").result, std::string("one\0two", 7));
  EXPECT_FALSE(shell("printf x > $TMPDIR/made; exit 1", "made").result) << "it failed";
  EXPECT_FALSE(shell("true", "made").result);
  EXPECT_FALSE(shell("mkdir $TMPDIR/made", "made").result);
  EXPECT_FALSE(shell("mkfifo $TMPDIR/made", "made").result);
  EXPECT_FALSE(shell("ln -s /dev/zero $TMPDIR/made", "made").result);
  EXPECT_FALSE(shell("truncate -s 3G $TMPDIR/made", "made").result);
}

/// Some parents ignore the end of children (daemons under nohup, some shells), and processes
/// inherit this setting.
TEST(ChildProcess, DoesNotNeedTheSignalOfItsEnd) {
  const auto before = ::signal(SIGCHLD, SIG_IGN);
  const ChildResult result = shell("echo here; exit 3");
  ::signal(SIGCHLD, before);
  EXPECT_EQ(result.exitCode, 3);
  EXPECT_EQ(result.output, "here\n");
}

TEST(ChildProcess, SaysWhichSignalEndedIt) {
  EXPECT_EQ(shell("kill -9 $$").exitCode, 128 + SIGKILL);
}

TEST(ChildProcess, SaysWhyItCannotBeStarted) {
  const auto failureOf = [](const std::string &path) {
    try {
      runChild({.argv = {path}, .timeout = 60s});
    } catch (const Error &error) {
      EXPECT_EQ(error.kind(), ErrorKind::Device);
      return std::string(error.what());
    }
    return std::string("it was started");
  };
  EXPECT_EQ(failureOf("/"), "/ cannot be started: Permission denied");
  const TemporaryFolder folder;
  ::setenv("TMPDIR", (folder.path() + "/none").c_str(), 1);
  const std::string nowhere = failureOf("/bin/sh");
  ::setenv("TMPDIR", folder.path().c_str(), 1);
  ASSERT_EQ(::chmod(folder.path().c_str(), 0777), 0);
  const std::string open = failureOf("/bin/sh");
  ::unsetenv("TMPDIR");
  EXPECT_EQ(nowhere, "/bin/sh cannot be started: No such file or directory");
  EXPECT_EQ(open,
            "no temporary folder in " + folder.path() + ": others can exchange what is in it");
}

} // namespace
} // namespace mpf
