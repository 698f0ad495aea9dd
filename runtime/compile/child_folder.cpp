#include "runtime/compile/child_folder.h"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace mpf {

namespace {

constexpr int kDeepest = 3;

bool isDots(const char *name) {
  return std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0;
}

bool copyBytes(int from, int into, uint64_t mostBytes) {
  char bytes[65536];
  uint64_t copied = 0;
  for (;;) {
    const ssize_t count = ::read(from, bytes, sizeof bytes);
    if (count == 0)
      return true;
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0 || (copied += static_cast<uint64_t>(count)) > mostBytes)
      return false;
    for (ssize_t written = 0; written < count;) {
      const ssize_t more = ::write(into, bytes + written, static_cast<size_t>(count - written));
      if (more <= 0 && errno != EINTR)
        return false;
      written += more > 0 ? more : 0;
    }
  }
}

/// Removes the contents of the open folder and closes it.
void emptyFolder(int folder, int depth) {
  alignas(dirent64) char entries[4096];
  // Two idle rounds: a listing may miss entries while others are removed, and a removal may fail
  // once.
  for (int idle = 0; idle < 2; ++idle) {
    bool removed = false;
    ::lseek(folder, 0, SEEK_SET);
    for (ssize_t count; (count = ::getdents64(folder, entries, sizeof entries)) > 0;)
      for (ssize_t at = 0; at < count;) {
        const auto *entry = reinterpret_cast<const dirent64 *>(entries + at);
        at += entry->d_reclen;
        if (isDots(entry->d_name))
          continue;
        if (::unlinkat(folder, entry->d_name, 0) == 0) {
          removed = true;
          continue;
        }
        const int inner = depth == 0 ? -1
                                     : ::openat(folder, entry->d_name,
                                                O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner >= 0)
          emptyFolder(inner, depth - 1);
        removed |= ::unlinkat(folder, entry->d_name, AT_REMOVEDIR) == 0;
      }
    idle = removed ? -1 : idle;
  }
  ::close(folder);
}

} // namespace

bool copyResult(const char *folder, const char *name, int into, uint64_t mostBytes) {
  const int within = ::open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // O_NONBLOCK: the file may be a pipe.
  const int from =
      within < 0 ? -1 : ::openat(within, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat status {};
  const bool copied = from >= 0 && ::fstat(from, &status) == 0 && S_ISREG(status.st_mode) &&
                      copyBytes(from, into, mostBytes);
  if (from >= 0)
    ::close(from);
  if (within >= 0)
    ::close(within);
  return copied;
}

void removeFolder(const char *path) {
  int folder = -1;
  for (int attempt = 0; attempt < 2 && folder < 0; ++attempt)
    folder = ::open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder >= 0)
    emptyFolder(folder, kDeepest);
  if (::rmdir(path) != 0)
    ::rmdir(path);
}

} // namespace mpf
