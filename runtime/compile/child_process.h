// Runs another program without a shell, with a small environment, a time limit and a private
// folder. The program ends when mpf ends, and its folder is removed.
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
  int file =
      -1; ///< descriptor of the program itself, which is run as argv[0]; -1: found by argv[0]
  std::string_view input; ///< its stdin
  std::chrono::milliseconds timeout{0};
  std::string resultName; ///< a file in its folder whose contents are returned; empty: none
  uint64_t mostResultBytes = uint64_t{64} << 20;
};

inline constexpr std::string_view kChildFolder = "%FOLDER%";

struct ChildResult {
  int exitCode = 0;                  ///< 128 + number when a signal ended it
  bool timedOut = false;             ///< the program and its children were killed
  std::string output;                ///< the first 64 KiB of stdout and stderr, interleaved
  std::optional<std::string> result; ///< contents of `resultName`, if it is a plain file
};

/// Runs a program and waits for it. Its environment is PATH, HOME, LC_ALL=C and TMPDIR = a new
/// folder inside mpf's temporary folder; no other variables of the user reach it. The folder is
/// removed afterwards; if mpf ends first, the supervisor ends the program and its children and
/// removes it (supervise_child.h). The folder may remain after a SIGKILL of the supervisor.
///
/// Works where the host program ignores SIGCHLD. Throws Error(Device) when the program cannot be
/// started. Throws it too when other users could exchange its folder, in a $TMPDIR that they can
/// write to and that is not sticky. Throws Error(Cancelled), with the program ended, for a watched
/// call that is cancelled (watched_call.h). Thread-safe.
ChildResult runChild(const ChildProgram &program);

} // namespace mpf
