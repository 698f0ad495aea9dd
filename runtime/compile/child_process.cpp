#include "runtime/compile/child_process.h"

#include "dsl/support/check.h"
#include "dsl/support/files/random_name.h"
#include "dsl/support/files/trusted_path.h"
#include "dsl/support/system/environment.h"
#include "dsl/support/system/watched_call.h"
#include "runtime/compile/memory_file.h"
#include "runtime/compile/supervise_child.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace mpf {

namespace {

constexpr size_t kMostOutputBytes = 65536;

/// Returns an unpredictable path in the folder for temporary files. The folder is not made yet.
std::string newFolderName() {
  const std::string parent = temporaryFolder();
  if (::access(parent.c_str(), F_OK) == 0 && !keepsFiles(parent))
    fail(ErrorKind::Device, "no temporary folder in {}: others can exchange what is in it", parent);
  return fmt::format("{}/mpf-{}", parent, randomName());
}

std::vector<std::string> childEnvironment(const std::string &folder) {
  std::vector<std::string> list{"LC_ALL=C", "TMPDIR=" + folder};
  for (const char *name : {"PATH", "HOME"})
    if (const std::string value = environmentValue(name); !value.empty())
      list.push_back(std::string(name) + '=' + value);
  return list;
}

std::vector<std::string> withFolder(std::vector<std::string> argv, const std::string &folder) {
  for (std::string &argument : argv)
    if (const size_t at = argument.find(kChildFolder); at != std::string::npos)
      argument.replace(at, kChildFolder.size(), folder);
  return argv;
}

std::vector<const char *> pointersTo(const std::vector<std::string> &texts) {
  std::vector<const char *> pointers;
  for (const std::string &text : texts)
    pointers.push_back(text.c_str());
  pointers.push_back(nullptr);
  return pointers;
}

/// Waits until the supervisor has ended. At the time limit, and when the call for which this thread
/// works is cancelled, it makes the supervisor end the program, and then returns true.
bool waitFor(pid_t supervisor, std::chrono::milliseconds timeout) {
  const auto end = std::chrono::steady_clock::now() + timeout;
  for (bool timedOut = false;;) {
    const pid_t ended = ::waitpid(supervisor, nullptr, timedOut ? 0 : WNOHANG);
    // ECHILD: the host program ignores SIGCHLD, or waits for all children itself.
    if (ended == supervisor || (ended < 0 && errno != EINTR))
      return timedOut;
    if (ended == 0 && (isCallCancelled() || std::chrono::steady_clock::now() >= end)) {
      timedOut = true;
      ::kill(supervisor, SIGTERM);
    } else if (ended == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
}

/// Reads the supervisor's report. A killed supervisor writes none and counts as a killed program.
SupervisorReport reportIn(const MemoryFile &file) {
  SupervisorReport report;
  const std::string bytes = file.start(sizeof report);
  if (bytes.size() == sizeof report)
    std::memcpy(&report, bytes.data(), sizeof report);
  if (report.isThere == 0)
    report.exitCode = 128 + SIGKILL;
  return report;
}

} // namespace

ChildResult runChild(const ChildProgram &program) {
  const MemoryFile in(program.input), out, reported, made;
  const std::string folder = newFolderName();
  const std::vector<std::string> argv = withFolder(program.argv, folder),
                                 environment = childEnvironment(folder);
  const std::string path =
      program.file < 0 ? argv.front() : fmt::format("/proc/self/fd/{}", program.file);
  const std::vector<const char *> arguments = pointersTo(argv), variables = pointersTo(environment);
  const bool wanted = !program.resultName.empty();
  const pid_t supervisor = startSupervised(
      {path.c_str(), program.file, arguments.data(), variables.data(), in.descriptor(),
       out.descriptor(), reported.descriptor(), folder.c_str(),
       wanted ? program.resultName.c_str() : nullptr, made.descriptor(), program.mostResultBytes});
  const int problem = errno;
  ChildResult result;
  if (supervisor >= 0)
    result.timedOut = waitFor(supervisor, program.timeout);
  throwIfCancelled();
  const SupervisorReport report = reportIn(reported);
  const int32_t error = supervisor < 0 ? problem : report.problem;
  if (error != 0)
    fail(ErrorKind::Device, "{} cannot be started: {}", argv.front(), std::strerror(error));
  result.exitCode = report.exitCode;
  result.output = out.start(kMostOutputBytes);
  if (report.hasResult != 0)
    result.result = made.contents();
  return result;
}

} // namespace mpf
