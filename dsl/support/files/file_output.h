// Writes all files of mpf: results, bundles, texts, the cache. A path holds its old contents until
// the new contents are complete. After a failure the old contents and no other files are left.
#pragma once

#include <string>
#include <string_view>

namespace mpf {

struct WriteOptions {
  /// The file can be made again, so writeFile does not wait for the disk. Otherwise the file
  /// survives a loss of power once writeFile has returned.
  bool expendable = false;
  bool ownerOnly = false; ///< a new file has mode 0600; else 0666 less the umask
};

/// Seconds that writeFile waits for a reader of a pipe.
inline constexpr int kPipeReaderWaitSeconds = 3;

/// Writes `contents` to a temporary file in the folder of `path` and moves that into place, so that
/// readers and other writers of `path` see one whole file or another. The temporary file has no
/// name if the file system allows that; else it has a random name and is opened exclusively.
///
/// A file that is replaced keeps its mode, and its owner if this process may set it. A file that
/// this process may not write is not replaced. A link is followed to the file that it names, but a
/// link that belongs to another user than this one and root is an error. Pipes, devices and sockets
/// are written directly.
///
/// Throws Error(BadInput) with the path and the system's message. A broken pipe and the limit on
/// file sizes are such errors; their signals do not reach the process. Thread-safe.
void writeFile(const std::string &path, std::string_view contents,
               const WriteOptions &options = {});

/// The names of temporary files start with this. One may be left when the process is killed.
inline constexpr std::string_view kTemporaryPrefix = ".mpf-";

} // namespace mpf
