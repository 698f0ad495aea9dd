// Runs another program: no shell, a small environment of its own, a time limit; it ends when mpf
// does, and the folder that it works in goes with it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

struct ChildProgram {
  /// argv[0] is a path. kChildFolder in an argument stands for the folder.
  std::vector<std::string> argv;
  std::string_view input; ///< its stdin
  std::chrono::milliseconds timeout{0};
  std::string resultName; ///< a file that it makes in its folder; empty: none is wanted
  uint64_t mostResultBytes = uint64_t{64} << 20;
};

inline constexpr std::string_view kChildFolder = "%FOLDER%";

struct ChildResult {
  int exitCode = 0;                  ///< 128 + number when a signal ended it
  bool timedOut = false;             ///< it and its children were killed
  std::string output;                ///< stdout and stderr as they came, the first 64 KiB
  std::optional<std::string> result; ///< the file that was wanted, if there was a plain one
};

/// Its environment is PATH, HOME, LC_ALL=C and TMPDIR = a new folder in ours, and nothing else:
/// what a user set for other compilations does not reach this one. The folder is gone afterwards,
/// also when mpf ends first, with the program and its children (supervise_child.h); after a SIGKILL
/// of the supervisor it may stay. Works where the host program ignores SIGCHLD. Throws
/// Error(Device) when the program cannot be started, also where others could exchange its folder:
/// in a $TMPDIR that they can write to and that is not sticky. Thread-safe.
ChildResult runChild(const ChildProgram &program);

} // namespace mpf
