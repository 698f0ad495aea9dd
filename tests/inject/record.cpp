// A preloaded library that records every call that changes files or names, and every sync. It
// writes one line for each to the file MPF_RECORD (crash_model.py describes the lines). With
// MPF_RECORD_NAMED the file system has no files without names.
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MPF_NEXT(name)                                                                             \
  static const auto next = reinterpret_cast<decltype(&::name)>(::dlsym(RTLD_NEXT, #name))

namespace {

/// Writes one line in one call. The caller's errno does not change.
void record(const std::string &line) {
  const int before = errno;
  if (const char *path = std::getenv("MPF_RECORD")) {
    const long file =
        ::syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    const std::string text = line + '\n';
    if (::syscall(SYS_write, file, text.data(), text.size()) != static_cast<long>(text.size()))
      ::abort();
    ::syscall(SYS_close, file);
  }
  errno = before;
}

std::string numberOf(const struct stat &found) {
  return std::to_string(found.st_dev) + ':' + std::to_string(found.st_ino);
}

/// Returns "DEVICE:INODE" of an open file.
std::string fileOf(int file) {
  struct stat found {};
  return ::fstat(file, &found) == 0 ? numberOf(found) : "?";
}

/// Returns "FOLDER NAME" of a path; FOLDER is the folder's number.
std::string nameOf(int folder, const char *path) {
  const std::string text = path;
  const size_t slash = text.rfind('/');
  const std::string parent = slash == std::string::npos ? "." : text.substr(0, slash + 1);
  struct stat found {};
  const bool known = ::fstatat(folder, parent.c_str(), &found, 0) == 0;
  return (known ? numberOf(found) : "?") + ' ' + text.substr(slash + 1);
}

std::string hexOf(const void *bytes, size_t count) {
  std::string hex;
  for (size_t i = 0; i < count; ++i) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<const unsigned char *>(bytes)[i]);
    hex += digits;
  }
  return hex;
}

bool isThere(int folder, const char *path) { return ::faccessat(folder, path, F_OK, 0) == 0; }

bool isNameless(int flags) { return (flags & O_TMPFILE) == O_TMPFILE; }

void recordOpen(int file, int folder, const char *path, int flags, bool wasThere) {
  if (isNameless(flags))
    record("nameless " + fileOf(file));
  else if (!wasThere)
    record("create " + nameOf(folder, path) + ' ' + fileOf(file));
  else if ((flags & O_TRUNC) != 0)
    record("truncate " + fileOf(file) + " 0");
}

void recordWrite(int file, const void *from, off_t at, ssize_t count) {
  struct stat found {};
  if (count > 0 && ::fstat(file, &found) == 0 && S_ISREG(found.st_mode))
    record("write " + numberOf(found) + ' ' + std::to_string(at) + ' ' +
           hexOf(from, static_cast<size_t>(count)));
}

template <class Open>
int recordedOpen(int folder, const char *path, int flags, mode_t mode, Open open) {
  if (isNameless(flags) && std::getenv("MPF_RECORD_NAMED") != nullptr) {
    errno = EOPNOTSUPP;
    return -1;
  }
  const bool wasThere = (flags & O_CREAT) == 0 || isThere(folder, path);
  const int file = open(folder, path, flags, mode);
  if (file >= 0 && (flags & O_ACCMODE) != O_RDONLY)
    recordOpen(file, folder, path, flags, wasThere);
  return file;
}

/// Records `line` if a call succeeded. `line` is made before the call, which may remove the file.
int ifDone(int result, const std::string &line) {
  if (result == 0)
    record(line);
  return result;
}

} // namespace

extern "C" {

#define MPF_OPEN(name)                                                                             \
  int name(const char *path, int flags, ...) {                                                     \
    MPF_NEXT(name);                                                                                \
    va_list arguments;                                                                             \
    va_start(arguments, flags);                                                                    \
    const mode_t mode = va_arg(arguments, mode_t);                                                 \
    va_end(arguments);                                                                             \
    return recordedOpen(AT_FDCWD, path, flags, mode,                                               \
                        [](int, const char *p, int f, mode_t m) { return next(p, f, m); });        \
  }
MPF_OPEN(open)
MPF_OPEN(open64)

#define MPF_OPENAT(name)                                                                           \
  int name(int folder, const char *path, int flags, ...) {                                         \
    MPF_NEXT(name);                                                                                \
    va_list arguments;                                                                             \
    va_start(arguments, flags);                                                                    \
    const mode_t mode = va_arg(arguments, mode_t);                                                 \
    va_end(arguments);                                                                             \
    return recordedOpen(folder, path, flags, mode, next);                                          \
  }
MPF_OPENAT(openat)
MPF_OPENAT(openat64)

ssize_t write(int file, const void *from, size_t bytes) {
  MPF_NEXT(write);
  const ssize_t count = next(file, from, bytes);
  recordWrite(file, from, ::lseek(file, 0, SEEK_CUR) - count, count);
  return count;
}

#define MPF_PWRITE(name)                                                                           \
  ssize_t name(int file, const void *from, size_t bytes, off_t at) {                               \
    MPF_NEXT(name);                                                                                \
    const ssize_t count = next(file, from, bytes, at);                                             \
    recordWrite(file, from, at, count);                                                            \
    return count;                                                                                  \
  }
MPF_PWRITE(pwrite)
MPF_PWRITE(pwrite64)

#define MPF_SYNC(name)                                                                             \
  int name(int file) {                                                                             \
    MPF_NEXT(name);                                                                                \
    return ifDone(next(file), "sync " + fileOf(file));                                             \
  }
MPF_SYNC(fsync)
MPF_SYNC(fdatasync)

#define MPF_TRUNCATE(name)                                                                         \
  int name(int file, off_t bytes) noexcept {                                                       \
    MPF_NEXT(name);                                                                                \
    return ifDone(next(file, bytes), "truncate " + fileOf(file) + ' ' + std::to_string(bytes));    \
  }
MPF_TRUNCATE(ftruncate)
MPF_TRUNCATE(ftruncate64)

int linkat(int fromFolder, const char *from, int toFolder, const char *to, int flags) noexcept {
  MPF_NEXT(linkat);
  struct stat found {};
  ::fstatat(fromFolder, from, &found, (flags & AT_SYMLINK_FOLLOW) != 0 ? 0 : AT_SYMLINK_NOFOLLOW);
  return ifDone(next(fromFolder, from, toFolder, to, flags),
                "link " + nameOf(toFolder, to) + ' ' + numberOf(found));
}

int link(const char *from, const char *to) noexcept {
  return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int renameat(int fromFolder, const char *from, int toFolder, const char *to) noexcept {
  MPF_NEXT(renameat);
  return ifDone(next(fromFolder, from, toFolder, to),
                "rename " + nameOf(fromFolder, from) + ' ' + nameOf(toFolder, to));
}

int rename(const char *from, const char *to) noexcept {
  return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int unlinkat(int folder, const char *path, int flags) noexcept {
  MPF_NEXT(unlinkat);
  return ifDone(next(folder, path, flags), "unlink " + nameOf(folder, path));
}

int unlink(const char *path) noexcept { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) noexcept { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char *path) noexcept {
  return unlink(path) == 0 || (errno == EISDIR && rmdir(path) == 0) ? 0 : -1;
}

int mkdir(const char *path, mode_t mode) noexcept {
  MPF_NEXT(mkdir);
  const int result = next(path, mode);
  struct stat found {};
  if (result == 0 && ::stat(path, &found) == 0)
    record("mkdir " + nameOf(AT_FDCWD, path) + ' ' + numberOf(found));
  return result;
}
}
