#include "runtime/compile/child_process.h"

#include "dsl/support/error.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace mpf {

namespace {

constexpr size_t kMostOutputBytes = 65536;

/// A file in memory, closed in any child.
class MemoryFile {
public:
  explicit MemoryFile(std::string_view contents = {})
      : descriptor_(::memfd_create("mpf", MFD_CLOEXEC)) {
    if (descriptor_ < 0)
      fail(ErrorKind::Device, "no file in memory: {}", std::strerror(errno));
    while (!contents.empty()) {
      const ssize_t count = ::write(descriptor_, contents.data(), contents.size());
      if (count <= 0) {
        ::close(descriptor_);
        fail(ErrorKind::Device, "a file in memory is full: {}", std::strerror(errno));
      }
      contents.remove_prefix(static_cast<size_t>(count));
    }
    ::lseek(descriptor_, 0, SEEK_SET);
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;

  int descriptor() const { return descriptor_; }
  std::string start() const {
    std::string text(kMostOutputBytes, '\0');
    const ssize_t count = ::pread(descriptor_, text.data(), text.size(), 0);
    text.resize(count < 0 ? 0 : static_cast<size_t>(count));
    return text;
  }

private:
  int descriptor_;
};

std::vector<std::string> childEnvironment(const std::string &temporary) {
  std::vector<std::string> list{"LC_ALL=C", "TMPDIR=" + temporary};
  for (const char *name : {"PATH", "HOME"})
    if (const char *value = std::getenv(name))
      list.push_back(std::string(name) + '=' + value);
  return list;
}

std::vector<char *> pointersTo(std::vector<std::string> &texts) {
  std::vector<char *> pointers;
  for (std::string &text : texts)
    pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Until the child has ended, or is killed with its children at the limit.
int waitFor(pid_t child, std::chrono::milliseconds timeout, bool &timedOut) {
  const auto end = std::chrono::steady_clock::now() + timeout;
  for (int status = 0;;) {
    const pid_t ended = ::waitpid(child, &status, timedOut ? 0 : WNOHANG);
    if (ended == child)
      return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (ended < 0 && errno != EINTR)
      return 127; // somebody else waited for it
    if (ended == 0 && std::chrono::steady_clock::now() >= end) {
      timedOut = true;
      ::kill(-child, SIGKILL);
    } else if (ended == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
}

} // namespace

ChildResult runChild(const std::vector<std::string> &argv, std::string_view input,
                     const std::string &temporary, std::chrono::milliseconds timeout) {
  const MemoryFile in(input), out;
  std::vector<std::string> arguments = argv, environment = childEnvironment(temporary);
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_adddup2(&files, in.descriptor(), 0);
  ::posix_spawn_file_actions_adddup2(&files, out.descriptor(), 1);
  ::posix_spawn_file_actions_adddup2(&files, out.descriptor(), 2);
  ::posix_spawnattr_init(&attributes);
  // A group of its own: a compiler's own children end with it. Signals that mpf ignores or blocks
  // must not be ignored there.
  sigset_t none, usual;
  ::sigemptyset(&none);
  ::sigemptyset(&usual);
  ::sigaddset(&usual, SIGINT);
  ::sigaddset(&usual, SIGTERM);
  ::sigaddset(&usual, SIGPIPE);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &usual);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  const int problem = ::posix_spawn(&child, argv.front().c_str(), &files, &attributes,
                                    pointersTo(arguments).data(), pointersTo(environment).data());
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&attributes);
  if (problem != 0)
    fail(ErrorKind::Device, "{} cannot be started: {}", argv.front(), std::strerror(problem));
  ChildResult result;
  result.exitCode = waitFor(child, timeout, result.timedOut);
  result.output = out.start();
  return result;
}

ScratchFolder::ScratchFolder() {
  std::error_code status;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(status);
  path_ = (status ? std::filesystem::path("/tmp") : parent) / "mpf-XXXXXX";
  if (::mkdtemp(path_.data()) == nullptr)
    fail(ErrorKind::Device, "no temporary folder {}: {}", path_, std::strerror(errno));
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

} // namespace mpf
