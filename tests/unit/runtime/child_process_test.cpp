// Other programs end when mpf does, however that ends.
#include "runtime/compile/child_process.h"

#include "dsl/support/error.h"
#include "tests/unit/temporary_folder.h"

#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace mpf {
namespace {

using namespace std::chrono_literals;

/// Waits for it for some time.
template <class Condition> bool soon(const Condition &condition) {
  for (int i = 0; i < 2000 && !condition(); ++i)
    std::this_thread::sleep_for(10ms);
  return condition();
}

/// Or waits for a parent that does not come to ask for its exit code.
bool hasEnded(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string text;
  std::getline(file, text);
  const size_t name = text.rfind(") ");
  return name == std::string::npos || text[name + 2] == 'Z';
}

constexpr int kExit = 0; ///< no signal

/// A process that stands for mpf runs a program with a child of its own, and is ended by a signal
/// or ends itself while another of its threads waits for the program.
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
    std::thread([&] { runChild({"/bin/sh", "-c", script}, "", scratch, 600s); }).detach();
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
  EXPECT_TRUE(soon([&] { return !std::filesystem::exists(scratch); }));
}

INSTANTIATE_TEST_SUITE_P(Ends, ChildProcessOwner, testing::Values(SIGINT, SIGTERM, SIGKILL, kExit));

TEST(ChildProcess, LeavesNothingRunningWhenItEnds) {
  const ScratchFolder folder;
  const ChildResult result =
      runChild({"/bin/sh", "-c", "sleep 600 & echo $!; exit 7"}, "", folder.path(), 60s);
  EXPECT_EQ(result.exitCode, 7);
  EXPECT_FALSE(result.timedOut);
  const pid_t left = std::atoi(result.output.c_str());
  ASSERT_GT(left, 0) << result.output;
  EXPECT_TRUE(soon([&] { return hasEnded(left); }));
  EXPECT_TRUE(std::filesystem::exists(folder.path()));
}

TEST(ChildProcess, SaysWhichSignalEndedIt) {
  const ScratchFolder folder;
  const ChildResult result = runChild({"/bin/sh", "-c", "kill -9 $$"}, "", folder.path(), 60s);
  EXPECT_EQ(result.exitCode, 128 + SIGKILL);
}

TEST(ChildProcess, SaysWhyItCannotBeStarted) {
  const ScratchFolder folder;
  try {
    runChild({folder.path()}, "", folder.path(), 60s);
    FAIL() << "a folder was run";
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::Device);
    EXPECT_NE(std::string_view(error.what()).find("cannot be started: Permission denied"),
              std::string_view::npos)
        << error.what();
  }
}

} // namespace
} // namespace mpf
