// THE WRITER OF FILES: results, bundles, texts, the cache. What was at a path stays whole until the
// new contents are, and nothing else is left behind, whatever fails.
#pragma once

#include <string>
#include <string_view>

namespace mpf {

struct WriteOptions {
  /// The file can be made again: nobody waits for the disk. Else it is there after a loss of power
  /// once writeFile has returned.
  bool expendable = false;
  bool ownerOnly = false; ///< a new file has mode 0600, not what the umask leaves of 0666
};

/// Seconds that a pipe may be without a reader before it is given up.
inline constexpr int kPipeReaderWaitSeconds = 3;

/// Writes `contents` to a file without a name in the folder of `path` (where the file system has
/// none: one with a random name, opened exclusively) and moves it into place: readers, and other
/// writers of the same path, see one whole file or another. A file that is there keeps its mode,
/// and its owner where we may set it; one that we may not write is not replaced. A link is followed
/// to the file that it names; not when others than we and root own it in a folder where they may
/// put links. Pipes, devices and sockets are written to as they are. Throws Error(BadInput) that
/// names the path and what the system says. Signals of a broken pipe or a limit on files are such
/// errors, too, and do not reach the process. Thread-safe.
void writeFile(const std::string &path, std::string_view contents,
               const WriteOptions &options = {});

/// The start of the names of temporary files, where there are any: after a kill one may stay.
inline constexpr std::string_view kTemporaryPrefix = ".mpf-";

} // namespace mpf
