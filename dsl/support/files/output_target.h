// Follows links to find the file that a written path leads to.
#pragma once

#include <optional>
#include <string>
#include <sys/stat.h>

namespace mpf {

struct OutputTarget {
  std::string path;                  ///< the path after all links
  std::optional<int> descriptor;     ///< set: an open file of this process (/dev/stdout)
  std::optional<struct stat> status; ///< the existing file; none, and no descriptor: a new file

  /// Whether it is a device, a pipe or a socket.
  bool isSpecial() const { return status && !S_ISREG(status->st_mode); }
  std::string folder() const;
  std::string name() const; ///< the file's name in folder()
};

/// Throws Error(BadInput) with `path` if the target cannot be reached or is a folder. A link on the
/// way that belongs neither to this user nor to root is refused too, because its owner could choose
/// which file is overwritten.
OutputTarget findOutputTarget(const std::string &path);

/// Throws Error(BadInput): "PATH: cannot be written: ..." with the system's message for the errno
/// `problem`.
[[noreturn]] void failToWrite(const std::string &path, int problem);

} // namespace mpf
