// A file that is written piece by piece and moved into place as a whole. All files that mpf writes
// use it; file_output.h writes contents that are in memory.
#pragma once

#include "dsl/support/files/output_target.h"
#include "dsl/support/files/temporary_names.h"
#include "dsl/support/system/file_descriptor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mpf {

struct WriteOptions {
  /// Whether the file can be made again, so that place() does not wait for the disk. If not, the
  /// file survives a loss of power once place() has returned, provided that its folder does and the
  /// file system can sync folders. Before that, old or new contents survive
  /// (tests/inject/crash_states.py).
  bool expendable = false;
  bool ownerOnly = false; ///< a new file has mode 0600; else 0666 less the umask
};

/// Seconds that an OutputFile waits for a reader of a pipe.
inline constexpr int kPipeReaderWaitSeconds = 3;

/// Bytes go to a temporary file in the folder of `path`. place() moves it into place, so
/// that readers and other writers of `path` see one complete file or another. Without place() the
/// old file stays. The temporary file has no name if the file system allows that. Otherwise it has
/// a random name and is opened exclusively.
///
/// A file that is replaced keeps its mode, and its owner if this process may set it. A file that
/// this process may not write is not replaced. A link is followed to the file that it names, but a
/// link that belongs to another user than this one and root is an error. Pipes, devices and sockets
/// are written directly.
///
/// Every function throws Error(BadInput) with the path and the system's message. A broken pipe and
/// the limit on file sizes are such errors; their signals do not reach the process. One thread at a
/// time.
class OutputFile {
public:
  explicit OutputFile(const std::string &path, const WriteOptions &options = {});
  /// Removes the temporary file, unless place() was called.
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  const std::string &path() const { return path_; }
  /// Whether it is written directly, so that appended bytes are visible at once.
  bool isDirect() const { return target_.descriptor || target_.isSpecial(); }
  uint64_t sizeBytes() const { return sizeBytes_; } ///< appended so far

  /// Appends bytes. If it fails, a file that is not direct is as it was before.
  void append(std::string_view bytes);
  /// Writes over bytes that were appended; not for a direct file.
  void overwrite(uint64_t offset, std::string_view bytes);
  /// Completes the file. Nothing may be called after that.
  void place();

private:
  void require(bool worked) const;
  void openDirectly();
  void openTemporary();
  void takeOverStatus() const;
  bool placeNameless();
  void discard() noexcept;
  int number() const { return target_.descriptor ? *target_.descriptor : file_.number(); }

  const std::string path_;
  const OutputTarget target_;
  const WriteOptions options_;
  FileDescriptor folder_, file_;
  std::string temporary_;                   ///< a name to be removed or moved; empty: none
  std::optional<TemporaryName> registered_; ///< `temporary_`, for signals
  uint64_t sizeBytes_ = 0;
};

/// The names of temporary files start with this. One may be left when the process is killed
/// (SIGKILL); other signals remove it (temporary_names.h).
inline constexpr std::string_view kTemporaryPrefix = ".mpf-";

} // namespace mpf
