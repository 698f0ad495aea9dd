// Calls that open, read, write and close.
#include "tests/inject/calls.h"

#include <cstdarg>
#include <cstdio>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

using inject::attempt;
using inject::attemptBytes;
using inject::Kind;

namespace {

mode_t modeOf(va_list &arguments, int flags) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, mode_t) : 0;
}

bool isStderr(std::FILE *file) { return file == stderr; }

} // namespace

extern "C" {

#define MPF_OPEN(name)                                                                             \
  int name(const char *path, int flags, ...) {                                                     \
    MPF_NEXT(name);                                                                                \
    va_list arguments;                                                                             \
    va_start(arguments, flags);                                                                    \
    const mode_t mode = modeOf(arguments, flags);                                                  \
    va_end(arguments);                                                                             \
    return attempt(Kind::open, -1, [&] { return next(path, flags, mode); });                       \
  }
MPF_OPEN(open)
MPF_OPEN(open64)

#define MPF_OPENAT(name)                                                                           \
  int name(int folder, const char *path, int flags, ...) {                                         \
    MPF_NEXT(name);                                                                                \
    va_list arguments;                                                                             \
    va_start(arguments, flags);                                                                    \
    const mode_t mode = modeOf(arguments, flags);                                                  \
    va_end(arguments);                                                                             \
    return attempt(Kind::open, -1, [&] { return next(folder, path, flags, mode); });               \
  }
MPF_OPENAT(openat)
MPF_OPENAT(openat64)

#define MPF_FOPEN(name)                                                                            \
  std::FILE *name(const char *path, const char *mode) {                                            \
    MPF_NEXT(name);                                                                                \
    return attempt<std::FILE *>(Kind::fopen, nullptr, [&] { return next(path, mode); });           \
  }
MPF_FOPEN(fopen)
MPF_FOPEN(fopen64)

ssize_t read(int file, void *into, size_t bytes) {
  MPF_NEXT(read);
  return attemptBytes(Kind::read, bytes, [&](size_t some) { return next(file, into, some); });
}

ssize_t write(int file, const void *from, size_t bytes) {
  MPF_NEXT(write);
  if (file == STDERR_FILENO) // where messages go
    return next(file, from, bytes);
  return attemptBytes(Kind::write, bytes, [&](size_t some) { return next(file, from, some); });
}

#define MPF_PREAD(name)                                                                            \
  ssize_t name(int file, void *into, size_t bytes, off_t at) {                                     \
    MPF_NEXT(name);                                                                                \
    return attemptBytes(Kind::pread, bytes,                                                        \
                        [&](size_t some) { return next(file, into, some, at); });                  \
  }
MPF_PREAD(pread)
MPF_PREAD(pread64)

#define MPF_PWRITE(name)                                                                           \
  ssize_t name(int file, const void *from, size_t bytes, off_t at) {                               \
    MPF_NEXT(name);                                                                                \
    return attemptBytes(Kind::pwrite, bytes,                                                       \
                        [&](size_t some) { return next(file, from, some, at); });                  \
  }
MPF_PWRITE(pwrite)
MPF_PWRITE(pwrite64)

size_t fwrite(const void *from, size_t size, size_t count, std::FILE *file) {
  MPF_NEXT(fwrite);
  if (isStderr(file))
    return next(from, size, count, file);
  return attempt<size_t>(Kind::fwrite, 0, [&] { return next(from, size, count, file); });
}

int fflush(std::FILE *file) {
  MPF_NEXT(fflush);
  if (isStderr(file))
    return next(file);
  return attempt(Kind::fflush, -1, [&] { return next(file); });
}

/// The system closes a file in any case.
int close(int file) {
  MPF_NEXT(close);
  const inject::Verdict verdict = inject::arrive(Kind::close);
  if (verdict.how == inject::How::KillBefore)
    inject::killSelf();
  const int result = next(file);
  if (verdict.how == inject::How::KillAfter)
    inject::killSelf();
  if (verdict.how != inject::How::Fail)
    return result;
  errno = verdict.error;
  return -1;
}

int fsync(int file) {
  MPF_NEXT(fsync);
  return attempt(Kind::fsync, -1, [&] { return next(file); });
}

#define MPF_FCNTL(name)                                                                            \
  int name(int file, int command, ...) {                                                           \
    MPF_NEXT(name);                                                                                \
    va_list arguments;                                                                             \
    va_start(arguments, command);                                                                  \
    void *argument = va_arg(arguments, void *);                                                    \
    va_end(arguments);                                                                             \
    return attempt(Kind::fcntl, -1, [&] { return next(file, command, argument); });                \
  }
MPF_FCNTL(fcntl)
MPF_FCNTL(fcntl64)

#define MPF_LSEEK(name)                                                                            \
  off_t name(int file, off_t at, int whence) noexcept {                                            \
    MPF_NEXT(name);                                                                                \
    return attempt<off_t>(Kind::lseek, -1, [&] { return next(file, at, whence); });                \
  }
MPF_LSEEK(lseek)
MPF_LSEEK(lseek64)

#define MPF_FTRUNCATE(name)                                                                        \
  int name(int file, off_t bytes) noexcept {                                                       \
    MPF_NEXT(name);                                                                                \
    return attempt(Kind::ftruncate, -1, [&] { return next(file, bytes); });                        \
  }
MPF_FTRUNCATE(ftruncate)
MPF_FTRUNCATE(ftruncate64)

int fchown(int file, uid_t owner, gid_t group) noexcept {
  MPF_NEXT(fchown);
  return attempt(Kind::fchown, -1, [&] { return next(file, owner, group); });
}

int pipe2(int files[2], int flags) noexcept {
  MPF_NEXT(pipe2);
  return attempt(Kind::pipe, -1, [&] { return next(files, flags); });
}

int dup2(int from, int to) noexcept {
  MPF_NEXT(dup2);
  return attempt(Kind::dup2, -1, [&] { return next(from, to); });
}

int poll(pollfd *files, nfds_t count, int milliseconds) {
  MPF_NEXT(poll);
  return attempt(Kind::poll, -1, [&] { return next(files, count, milliseconds); });
}

ssize_t getrandom(void *into, size_t bytes, unsigned flags) {
  MPF_NEXT(getrandom);
  return attemptBytes(Kind::getrandom, bytes, [&](size_t some) { return next(into, some, flags); });
}

int memfd_create(const char *name, unsigned flags) noexcept {
  MPF_NEXT(memfd_create);
  return attempt(Kind::memfd_create, -1, [&] { return next(name, flags); });
}

#define MPF_MMAP(name)                                                                             \
  void *name(void *at, size_t bytes, int protection, int flags, int file, off_t offset) noexcept { \
    MPF_NEXT(name);                                                                                \
    return attempt(Kind::mmap, MAP_FAILED,                                                         \
                   [&] { return next(at, bytes, protection, flags, file, offset); });              \
  }
MPF_MMAP(mmap)
MPF_MMAP(mmap64)
}
