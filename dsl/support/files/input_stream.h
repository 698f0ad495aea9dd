// The bytes of a file, pipe or device in their order, unpacked on the way, so that a text may be
// larger than memory.
#pragma once

#include "dsl/support/files/raw_input.h"
#include "dsl/support/files/unpacker.h"

#include <memory>
#include <string>
#include <string_view>

namespace mpf {

/// A writer of a pipe that sends nothing for this time has paused: its bytes are worth using.
inline constexpr int kPauseMs = 100;

/// read() is for one thread at a time; readAt() and cancel() may be called by any.
class InputStream {
public:
  /// The bytes of `text`, which must outlive the stream.
  InputStream(std::string name, std::string_view text) : name_(std::move(name)), text_(text) {}
  /// Opens a file; "-" is the standard input. Contents that start like gzip, xz or zstd data are
  /// unpacked. Throws as RawInput does.
  explicit InputStream(const std::string &path);

  const std::string &name() const { return name_; } ///< for messages
  /// Returns the size of a plain file that has a name and is not packed; 0: unknown.
  uint64_t sizeBytes() const { return sizeBytes_; }
  /// Returns the approximate number of bytes from the start to the end. For a plain file it is the
  /// size. For a packed file it is the size times the growth of the bytes that were read so far. 0:
  /// unknown.
  uint64_t likelyBytes() const;

  /// Fills [into, into + size) as far as there are bytes, and waits for them. Returns less than
  /// `size` at the end, or if cancelled. Throws Error(BadInput) for broken packed data, for more
  /// than kMaxDeviceBytes of a device, and if the system cannot read on.
  size_t read(char *into, size_t size);
  /// Reads like read(), but stops at a pause: returns the bytes that are there, at least one, if no
  /// other comes for kPauseMs. Less than `size` without hasPaused() means the end, or cancelled.
  size_t readUntilPause(char *into, size_t size);
  /// Whether the last readUntilPause() returned less because of a pause.
  bool hasPaused() const { return hasPaused_; }
  /// Whether bytes or the end come within kPauseMs.
  bool isReady() const;
  /// Reads like RawInput::readAt; requires a known sizeBytes().
  size_t readAt(uint64_t offset, char *into, size_t size) const {
    return input_->readAt(offset, into, size);
  }
  /// Returns the next `size` bytes, or all that are left; read() returns them again. Valid until
  /// the next call.
  std::string_view peek(size_t size);
  /// Ends a read that waits, and every later one, within a fraction of a second.
  void cancel();

private:
  enum class Until { Full, Pause };
  size_t readRaw(char *into, size_t size, Until until = Until::Full);
  size_t readBehindHead(char *into, size_t size, Until until = Until::Full);
  size_t readPacked(char *into, size_t size, Until until);
  bool pauses();

  std::string name_;
  std::string_view text_; ///< in memory
  std::string head_;      ///< bytes that were looked at; they are read first
  size_t headAt_ = 0;     ///< the next byte of head_
  uint64_t sizeBytes_ = 0;
  uint64_t fileBytes_ = 0;     ///< size of a file, packed or not; 0: unknown
  uint64_t rawBytes_ = 0;      ///< read so far
  uint64_t unpackedBytes_ = 0; ///< so far
  std::unique_ptr<RawInput> input_;
  std::unique_ptr<Unpacker> unpacker_;
  std::unique_ptr<char[]> packed_; ///< kPackedBytes
  std::string_view packedRest_;    ///< unread part of packed_
  bool inputEnded_ = false, ended_ = false, hasPaused_ = false;
};

} // namespace mpf
