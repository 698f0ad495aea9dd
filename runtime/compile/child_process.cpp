#include "runtime/compile/child_process.h"

#include "dsl/support/environment.h"
#include "dsl/support/error.h"
#include "dsl/support/file_input.h"
#include "dsl/support/trusted_path.h"
#include "runtime/compile/memory_file.h"
#include "runtime/compile/supervise_child.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace mpf {

namespace {

constexpr size_t kMostOutputBytes = 65536;

std::vector<std::string> childEnvironment(const std::string &temporary) {
  std::vector<std::string> list{"LC_ALL=C", "TMPDIR=" + temporary};
  for (const char *name : {"PATH", "HOME"})
    if (const std::string value = environmentValue(name); !value.empty())
      list.push_back(std::string(name) + '=' + value);
  return list;
}

std::vector<const char *> pointersTo(const std::vector<std::string> &texts) {
  std::vector<const char *> pointers;
  for (const std::string &text : texts)
    pointers.push_back(text.c_str());
  pointers.push_back(nullptr);
  return pointers;
}

/// Exit code of the supervisor, which is told to end the program at the limit.
int waitFor(pid_t supervisor, std::chrono::milliseconds timeout, bool &timedOut) {
  const auto end = std::chrono::steady_clock::now() + timeout;
  for (int status = 0;;) {
    const pid_t ended = ::waitpid(supervisor, &status, timedOut ? 0 : WNOHANG);
    if (ended == supervisor)
      return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (ended < 0 && errno != EINTR)
      return 127; // somebody else waited for it
    if (ended == 0 && std::chrono::steady_clock::now() >= end) {
      timedOut = true;
      ::kill(supervisor, SIGTERM);
    } else if (ended == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
}

} // namespace

ChildResult runChild(const std::vector<std::string> &argv, std::string_view input,
                     const std::string &temporary, std::chrono::milliseconds timeout) {
  const MemoryFile in(input), out, problem;
  const std::vector<std::string> environment = childEnvironment(temporary);
  const std::vector<const char *> arguments = pointersTo(argv), variables = pointersTo(environment);
  const pid_t supervisor =
      startSupervised({arguments.data(), variables.data(), in.descriptor(), out.descriptor(),
                       problem.descriptor(), temporary.c_str()});
  ChildResult result;
  int error = errno;
  if (supervisor >= 0) {
    result.exitCode = waitFor(supervisor, timeout, result.timedOut);
    if (::pread(problem.descriptor(), &error, sizeof error, 0) != sizeof error)
      error = 0;
  }
  if (error != 0)
    fail(ErrorKind::Device, "{} cannot be started: {}", argv.front(), std::strerror(error));
  result.output = out.start(kMostOutputBytes);
  return result;
}

ScratchFolder::ScratchFolder() {
  const std::string parent = temporaryFolder();
  path_ = parent + "/mpf-XXXXXX";
  if (::access(parent.c_str(), F_OK) == 0 && !keepsFiles(parent))
    fail(ErrorKind::Device, "no temporary folder {}: others can exchange what is in {}", path_,
         parent);
  if (::mkdtemp(path_.data()) == nullptr)
    fail(ErrorKind::Device, "no temporary folder {}: {}", path_, std::strerror(errno));
  held_ = std::make_unique<TrustedPath>(path_, PathKind::Folder);
  if (!held_->isTrusted())
    fail(ErrorKind::Device, "the temporary folder {} is not used, because {}", path_,
         held_->reason());
}

std::string ScratchFolder::read(const std::string &name) const {
  return readFile(held_->heldPath() + '/' + name);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

} // namespace mpf
