// After the fork only functions that signal-safety(7) lists may be called, because mpf may have
// several threads.
#include "runtime/compile/supervise_child.h"

#include "runtime/compile/child_folder.h"

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <initializer_list>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mpf {

namespace {

constexpr int kNotStarted = 127; ///< the exit code of a shell
constexpr int kOwnerEnded = SIGHUP;

void writeProblem(const SupervisedProgram &program) {
  const int32_t problem = errno;
  ::pwrite(program.report, &problem, sizeof problem, offsetof(SupervisorReport, problem));
}

[[noreturn]] void becomeProgram(const SupervisedProgram &program, pid_t supervisor) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != supervisor)
    ::_exit(kNotStarted);
  if (::dup2(program.input, 0) >= 0 && ::dup2(program.output, 1) >= 0 &&
      ::dup2(program.output, 2) >= 0) {
    // exec keeps ignored and blocked signals, so reset those of mpf; it resets handlers itself.
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ, SIGCHLD})
      ::signal(number, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    if (program.file >= 0) // a script's interpreter opens it by /proc/self/fd
      ::fcntl(program.file, F_SETFD, 0);
    ::execve(program.path, const_cast<char *const *>(program.argv),
             const_cast<char *const *>(program.environment));
  }
  writeProblem(program);
  ::_exit(kNotStarted);
}

/// Waits for the program, and kills it when mpf ends or asks for it. Kills the rest of the
/// program's process group and returns the status of waitpid.
int awaitProgram(pid_t child) {
  sigset_t awaited;
  ::sigemptyset(&awaited);
  ::sigaddset(&awaited, SIGCHLD);
  ::sigaddset(&awaited, SIGTERM);
  ::sigaddset(&awaited, kOwnerEnded);
  for (;;) {
    siginfo_t ended{};
    if (::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        ended.si_pid == child)
      break;
    const int number = ::sigwaitinfo(&awaited, nullptr);
    if (number == SIGTERM || number == kOwnerEnded)
      ::kill(-child, SIGKILL);
  }
  // The kill comes before waitpid, because afterwards the number may belong to another process.
  ::kill(-child, SIGKILL);
  int status = kNotStarted << 8;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

/// Runs the supervisor. The caller has blocked all signals.
[[noreturn]] void supervise(const SupervisedProgram &program, pid_t owner) {
  ::setpgid(0, 0); // Ctrl-C reaches mpf only; this process ends when mpf does
  ::signal(SIGCHLD, SIG_DFL);
  ::prctl(PR_SET_PDEATHSIG, kOwnerEnded);
  const pid_t self = ::getpid();
  if (::getppid() != owner)
    ::raise(kOwnerEnded);
  SupervisorReport report;
  const bool hasFolder = ::mkdir(program.folder, S_IRWXU) == 0;
  const pid_t child = hasFolder ? ::fork() : -1;
  if (child < 0)
    writeProblem(program);
  if (child == 0)
    becomeProgram(program, self);
  if (child > 0) {
    ::setpgid(child, child); // parent and child both call it: either may run first
    const int status = awaitProgram(child);
    report.exitCode = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    report.hasResult =
        program.resultName != nullptr && report.exitCode == 0 &&
        copyResult(program.folder, program.resultName, program.result, program.mostResultBytes);
  }
  if (hasFolder)
    removeFolder(program.folder);
  ::pread(program.report, &report.problem, sizeof report.problem,
          offsetof(SupervisorReport, problem));
  report.isThere = 1;
  ::pwrite(program.report, &report, sizeof report, 0);
  ::_exit(report.exitCode);
}

} // namespace

pid_t startSupervised(const SupervisedProgram &program) {
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t owner = ::getpid();
  const pid_t supervisor = ::fork();
  if (supervisor == 0)
    supervise(program, owner);
  const int problem = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = problem;
  return supervisor;
}

} // namespace mpf
