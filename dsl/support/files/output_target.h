// Where a path that is to be written leads, links followed.
#pragma once

#include <optional>
#include <string>
#include <sys/stat.h>

namespace mpf {

struct OutputTarget {
  std::string path;                  ///< behind all links
  std::optional<int> descriptor;     ///< it names an open file of this process (/dev/stdout)
  std::optional<struct stat> status; ///< of what is there; a file that is none of these is new

  /// A device, a pipe or a socket.
  bool isSpecial() const { return status && !S_ISREG(status->st_mode); }
  std::string folder() const;
  std::string name() const; ///< in folder()
};

/// Throws Error(BadInput) that names `path` for what cannot be reached, for folders, and for a link
/// on the way that neither we nor root made: its owner would choose what is written over.
OutputTarget findOutputTarget(const std::string &path);

/// Throws Error(BadInput): "PATH: cannot be written: ..." with the system's words for `problem`.
[[noreturn]] void failToWrite(const std::string &path, int problem);

} // namespace mpf
