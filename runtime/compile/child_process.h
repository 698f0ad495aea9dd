// Runs another program: no shell, a small environment of its own, a time limit; it ends when mpf
// does.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

class TrustedPath;

struct ChildResult {
  int exitCode = 0;      ///< 128 + number when a signal ended it
  bool timedOut = false; ///< it and its children were killed
  std::string output;    ///< stdout and stderr as they came, the first 64 KiB
};

/// argv[0] is a path. `input` is its stdin. Its environment is PATH, HOME, LC_ALL=C and TMPDIR =
/// `temporary` and nothing else: what a user set for other compilations does not reach this one.
/// When mpf ends first, so do the program and its children, and `temporary` is removed
/// (supervise_child.h). Throws Error(Device) when it cannot be started. Thread-safe.
ChildResult runChild(const std::vector<std::string> &argv, std::string_view input,
                     const std::string &temporary, std::chrono::milliseconds timeout);

/// A folder of its own for the life of the object, removed with all it contains.
class ScratchFolder {
public:
  /// Throws Error(Device) when there is none to be had, also where others could exchange it: in a
  /// folder for temporary files that they can write to and that is not sticky.
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;
  const std::string &path() const { return path_; }
  /// The contents of a file in this very folder, whatever its path leads to by now. Errors as of
  /// readFile.
  std::string read(const std::string &name) const;

private:
  std::string path_;
  std::unique_ptr<TrustedPath> held_;
};

} // namespace mpf
