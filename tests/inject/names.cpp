// Calls about names: properties of files, folders, links.
#include "tests/inject/calls.h"

#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using inject::attempt;
using inject::Kind;

extern "C" {

#define MPF_STAT(name, record)                                                                     \
  int name(const char *path, struct record *found) noexcept {                                      \
    MPF_NEXT(name);                                                                                \
    return attempt(Kind::stat, -1, [&] { return next(path, found); });                             \
  }
MPF_STAT(stat, stat)
MPF_STAT(stat64, stat64)
MPF_STAT(lstat, stat)
MPF_STAT(lstat64, stat64)

#define MPF_FSTAT(name, record)                                                                    \
  int name(int file, struct record *found) noexcept {                                              \
    MPF_NEXT(name);                                                                                \
    return attempt(Kind::stat, -1, [&] { return next(file, found); });                             \
  }
MPF_FSTAT(fstat, stat)
MPF_FSTAT(fstat64, stat64)

#define MPF_FSTATAT(name, record)                                                                  \
  int name(int folder, const char *path, struct record *found, int flags) noexcept {               \
    MPF_NEXT(name);                                                                                \
    return attempt(Kind::stat, -1, [&] { return next(folder, path, found, flags); });              \
  }
MPF_FSTATAT(fstatat, stat)
MPF_FSTATAT(fstatat64, stat64)

int access(const char *path, int how) noexcept {
  MPF_NEXT(access);
  return attempt(Kind::access, -1, [&] { return next(path, how); });
}

int faccessat(int folder, const char *path, int how, int flags) noexcept {
  MPF_NEXT(faccessat);
  return attempt(Kind::access, -1, [&] { return next(folder, path, how, flags); });
}

int fchmod(int file, mode_t mode) noexcept {
  MPF_NEXT(fchmod);
  return attempt(Kind::fchmod, -1, [&] { return next(file, mode); });
}

int utimensat(int folder, const char *path, const struct timespec *times, int flags) noexcept {
  MPF_NEXT(utimensat);
  return attempt(Kind::utimens, -1, [&] { return next(folder, path, times, flags); });
}

int futimens(int file, const struct timespec *times) noexcept {
  MPF_NEXT(futimens);
  return attempt(Kind::utimens, -1, [&] { return next(file, times); });
}

int rename(const char *from, const char *to) noexcept {
  MPF_NEXT(rename);
  return attempt(Kind::rename, -1, [&] { return next(from, to); });
}

int renameat(int fromFolder, const char *from, int toFolder, const char *to) noexcept {
  MPF_NEXT(renameat);
  return attempt(Kind::rename, -1, [&] { return next(fromFolder, from, toFolder, to); });
}

int link(const char *from, const char *to) noexcept {
  MPF_NEXT(link);
  return attempt(Kind::link, -1, [&] { return next(from, to); });
}

int linkat(int fromFolder, const char *from, int toFolder, const char *to, int flags) noexcept {
  MPF_NEXT(linkat);
  return attempt(Kind::link, -1, [&] { return next(fromFolder, from, toFolder, to, flags); });
}

#define MPF_REMOVE(name)                                                                           \
  int name(const char *path) noexcept {                                                            \
    MPF_NEXT(name);                                                                                \
    return attempt(Kind::unlink, -1, [&] { return next(path); });                                  \
  }
MPF_REMOVE(unlink)
MPF_REMOVE(rmdir)
MPF_REMOVE(remove)

int unlinkat(int folder, const char *path, int flags) noexcept {
  MPF_NEXT(unlinkat);
  return attempt(Kind::unlink, -1, [&] { return next(folder, path, flags); });
}

int mkdir(const char *path, mode_t mode) noexcept {
  MPF_NEXT(mkdir);
  return attempt(Kind::mkdir, -1, [&] { return next(path, mode); });
}

char *mkdtemp(char *path) noexcept {
  MPF_NEXT(mkdtemp);
  return attempt<char *>(Kind::mkdir, nullptr, [&] { return next(path); });
}

ssize_t readlink(const char *path, char *into, size_t bytes) noexcept {
  MPF_NEXT(readlink);
  return attempt<ssize_t>(Kind::readlink, -1, [&] { return next(path, into, bytes); });
}

char *realpath(const char *path, char *into) noexcept {
  MPF_NEXT(realpath);
  return attempt<char *>(Kind::readlink, nullptr, [&] { return next(path, into); });
}

DIR *opendir(const char *path) {
  MPF_NEXT(opendir);
  return attempt<DIR *>(Kind::getdents, nullptr, [&] { return next(path); });
}

DIR *fdopendir(int folder) {
  MPF_NEXT(fdopendir);
  return attempt<DIR *>(Kind::getdents, nullptr, [&] { return next(folder); });
}

dirent *readdir(DIR *folder) {
  MPF_NEXT(readdir);
  return attempt<dirent *>(Kind::getdents, nullptr, [&] { return next(folder); });
}

dirent64 *readdir64(DIR *folder) {
  MPF_NEXT(readdir64);
  return attempt<dirent64 *>(Kind::getdents, nullptr, [&] { return next(folder); });
}

ssize_t getdents64(int folder, void *into, size_t bytes) noexcept {
  MPF_NEXT(getdents64);
  return attempt<ssize_t>(Kind::getdents, -1, [&] { return next(folder, into, bytes); });
}
}
