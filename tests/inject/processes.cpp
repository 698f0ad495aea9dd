// Calls that start processes, threads and libraries, and the beginning and the end of the program.
#include "tests/inject/calls.h"

#include <cstdlib>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

using inject::attempt;
using inject::Kind;

namespace {

using Main = int (*)(int, char **, char **);
Main programMain = nullptr;

int mainWithPoints(int argc, char **argv, char **environment) {
  inject::readEnvironment();
  std::atexit(inject::writeCounts); // the last of the functions called at the end
  return programMain(argc, argv, environment);
}

} // namespace

extern "C" {

int __libc_start_main(Main main, int argc, char **argv, void (*init)(), void (*fini)(),
                      void (*loaderFini)(), void *stackEnd) {
  MPF_NEXT(__libc_start_main);
  programMain = main;
  return next(mainWithPoints, argc, argv, init, fini, loaderFini, stackEnd);
}

[[noreturn]] void abort() noexcept {
  MPF_NEXT(abort);
  inject::addStack();
  next();
  __builtin_unreachable();
}

[[noreturn]] void _exit(int code) {
  MPF_NEXT(_exit);
  inject::writeCounts();
  next(code);
  __builtin_unreachable();
}

pid_t fork() noexcept {
  MPF_NEXT(fork);
  const pid_t child = attempt(Kind::fork, -1, [&] {
    const pid_t number = next();
    if (number == 0)
      inject::enterChild();
    return number;
  });
  return child;
}

int execve(const char *path, char *const argv[], char *const environment[]) noexcept {
  MPF_NEXT(execve);
  return attempt(Kind::execve, -1, [&] {
    inject::writeCounts();
    return next(path, argv, environment);
  });
}

pid_t waitpid(pid_t child, int *status, int options) {
  MPF_NEXT(waitpid);
  return attempt(Kind::waitpid, -1, [&] { return next(child, status, options); });
}

int waitid(idtype_t which, id_t child, siginfo_t *found, int options) {
  MPF_NEXT(waitid);
  return attempt(Kind::waitpid, -1, [&] { return next(which, child, found, options); });
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument) noexcept {
  MPF_NEXT(pthread_create);
  const int before = errno;
  const int result =
      attempt(Kind::pthread_create, -1, [&] { return next(thread, attributes, start, argument); });
  const int problem = result == -1 ? errno : result;
  errno = before;
  return problem;
}

/// A failure leaves a message for dlerror().
void *dlopen(const char *path, int flags) noexcept {
  MPF_NEXT(dlopen);
  void *library = attempt<void *>(Kind::dlopen, nullptr, [&] { return next(path, flags); });
  return library != nullptr ? library : next("no library: this was injected", RTLD_NOW);
}
}
