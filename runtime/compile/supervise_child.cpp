// After a fork of a process with several threads only what signal-safety(7) lists may be called.
#include "runtime/compile/supervise_child.h"

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mpf {

namespace {

constexpr int kNotStarted = 127; ///< as a shell's exit code
constexpr int kOwnerEnded = SIGHUP;

[[noreturn]] void endWithProblem(const SupervisedProgram &program) {
  const int problem = errno;
  ::pwrite(program.problem, &problem, sizeof problem, 0);
  ::_exit(kNotStarted);
}

[[noreturn]] void becomeProgram(const SupervisedProgram &program, pid_t supervisor) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != supervisor)
    ::_exit(kNotStarted);
  if (::dup2(program.input, 0) < 0 || ::dup2(program.output, 1) < 0 ||
      ::dup2(program.output, 2) < 0)
    endWithProblem(program);
  // What mpf ignores or blocks must not be ignored there; exec takes care of handlers.
  ::signal(SIGINT, SIG_DFL);
  ::signal(SIGTERM, SIG_DFL);
  ::signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execve(program.argv[0], const_cast<char *const *>(program.argv),
           const_cast<char *const *>(program.environment));
  endWithProblem(program);
}

bool isDots(const char *name) {
  return std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0;
}

/// The folder and its files: a compiler makes no folders.
void removeFiles(const char *path) {
  const int folder = ::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  alignas(dirent64) char entries[4096];
  for (bool removed = true; removed;) { // a listing may miss some while others go
    removed = false;
    ::lseek(folder, 0, SEEK_SET);
    for (ssize_t count; (count = ::getdents64(folder, entries, sizeof entries)) > 0;)
      for (ssize_t at = 0; at < count;) {
        const auto *entry = reinterpret_cast<const dirent64 *>(entries + at);
        removed |= !isDots(entry->d_name) && ::unlinkat(folder, entry->d_name, 0) == 0;
        at += entry->d_reclen;
      }
  }
  ::rmdir(path);
}

/// All signals are blocked here.
[[noreturn]] void supervise(const SupervisedProgram &program, pid_t owner) {
  ::setpgid(0, 0); // Ctrl-C is for mpf; this process sees how mpf takes it
  ::signal(SIGCHLD, SIG_DFL);
  ::prctl(PR_SET_PDEATHSIG, kOwnerEnded);
  const pid_t self = ::getpid();
  if (::getppid() != owner)
    ::raise(kOwnerEnded);
  const pid_t child = ::fork();
  if (child < 0)
    endWithProblem(program);
  if (child == 0)
    becomeProgram(program, self);
  ::setpgid(child, child); // whichever of the two comes first
  sigset_t awaited;
  ::sigemptyset(&awaited);
  ::sigaddset(&awaited, SIGCHLD);
  ::sigaddset(&awaited, SIGTERM);
  ::sigaddset(&awaited, kOwnerEnded);
  bool ownerEnded = false; // its threads end one by one: getppid() may not know yet
  for (;;) {
    siginfo_t ended{};
    if (::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        ended.si_pid == child)
      break;
    const int number = ::sigwaitinfo(&awaited, nullptr);
    ownerEnded |= number == kOwnerEnded;
    if (number == SIGTERM || number == kOwnerEnded)
      ::kill(-child, SIGKILL);
  }
  // Before waitpid: afterwards the number may belong to others.
  ::kill(-child, SIGKILL);
  int status = 0;
  if (::waitpid(child, &status, 0) != child)
    endWithProblem(program);
  if (ownerEnded || ::getppid() != owner)
    removeFiles(program.folder);
  ::_exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
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
