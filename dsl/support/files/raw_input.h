// Reads the bytes of a file, pipe or device, one piece after the other. A pipe without a writer is
// an error after a few seconds.
#pragma once

#include "dsl/support/system/file_descriptor.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <sys/stat.h>

namespace mpf {

/// The limit for devices, some of which never end (/dev/zero).
inline constexpr uint64_t kMaxDeviceBytes = uint64_t{16} << 20;

/// Seconds that a RawInput waits for a writer of a named pipe.
inline constexpr int kPipeWaitSeconds = 3;

/// The name of the standard input in messages.
inline constexpr const char *kStandardInputName = "standard input";

/// One open input. read() is for one thread at a time; readAt() and cancel() may be called by any.
class RawInput {
public:
  /// Throws Error(BadInput) for a path that cannot be read, a folder, a pipe without a writer.
  explicit RawInput(const std::string &path);
  static RawInput standardInput();

  const std::string &name() const { return name_; }
  const struct stat &status() const { return status_; }
  bool isDevice() const { return S_ISCHR(status_.st_mode) || S_ISBLK(status_.st_mode); }

  /// Reads 1 to `size` bytes, and waits for them where it must. 0: the end, or cancelled. Throws
  /// Error(BadInput) when the system cannot read on.
  size_t read(char *into, size_t size);
  /// Whether read() returns within `timeMs`, because bytes or the end come by then.
  bool isReadyWithin(int timeMs) const;
  /// Fills [into, into + size) with the bytes of a plain file from `offset` on. Does not change the
  /// position of read(). Returns less if the file ends there. Several threads may call it. Throws
  /// as read().
  size_t readAt(uint64_t offset, char *into, size_t size) const;
  /// Ends a read that waits, and every later one, within a fraction of a second.
  void cancel() { cancelled_ = true; }

private:
  RawInput(int number, std::string name); ///< a file that stays open
  void awaitWriter();
  int number() const { return file_.isOpen() ? file_.number() : number_; }

  std::string name_;
  FileDescriptor file_; ///< closed with this object
  int number_ = -1;     ///< if there is no file_
  struct stat status_ = {};
  std::string pending_; ///< bytes that were read while it waited for a writer
  std::atomic<bool> cancelled_{false};
};

} // namespace mpf
