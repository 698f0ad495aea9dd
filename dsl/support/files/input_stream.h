// The bytes of a file, pipe or device in their order, unpacked on the way, so that a text may be
// larger than memory.
#pragma once

#include "dsl/support/files/raw_input.h"
#include "dsl/support/files/unpacker.h"

#include <memory>
#include <string>
#include <string_view>

namespace mpf {

/// A writer of a pipe that has nothing for so long has paused: what it has written is worth using.
inline constexpr int kPauseMs = 100;

/// read() is for one thread at a time; readAt() and cancel() may be called by any.
class InputStream {
public:
  /// The bytes of `text`, which must outlive the stream.
  InputStream(std::string name, std::string_view text) : name_(std::move(name)), text_(text) {}
  /// A file; "-" is the standard input. Contents that start as gzip, xz or zstd data do are
  /// unpacked. Throws as RawInput does.
  explicit InputStream(const std::string &path);

  const std::string &name() const { return name_; } ///< for messages
  /// The size of a plain file that has a name and is not packed; 0: not known.
  uint64_t sizeBytes() const { return sizeBytes_; }
  /// About how many bytes there are from the start to the end: the size of a plain file; of a
  /// packed one its size times what the bytes that were read so far have grown by. 0: not known.
  uint64_t likelyBytes() const;

  /// Fills [into, into + size) as far as there are bytes, and waits for them. Less than `size`: the
  /// end, or cancelled. Throws Error(BadInput) for broken packed data, for more than
  /// kMaxDeviceBytes of a device, and when the system cannot read on.
  size_t read(char *into, size_t size);
  /// As read(), but not beyond a pause: bytes that are there, at least one, are given when for
  /// kPauseMs no other comes. Less than `size`, and not hasPaused(): the end, or cancelled.
  size_t readUntilPause(char *into, size_t size);
  /// Whether the last readUntilPause() has given less for a pause.
  bool hasPaused() const { return hasPaused_; }
  /// Whether there are bytes, or the end, within kPauseMs.
  bool isReady() const;
  /// As RawInput::readAt, where sizeBytes() is known.
  size_t readAt(uint64_t offset, char *into, size_t size) const {
    return input_->readAt(offset, into, size);
  }
  /// The next bytes, `size` or what is left, which read() will give too. Valid until the next call.
  std::string_view peek(size_t size);
  /// A read that waits, and every later one, comes to its end within a fraction of a second.
  void cancel();

private:
  enum class Until { Full, Pause };
  size_t readRaw(char *into, size_t size, Until until = Until::Full);
  size_t readBehindHead(char *into, size_t size, Until until = Until::Full);
  size_t readPacked(char *into, size_t size, Until until);
  bool pauses();

  std::string name_;
  std::string_view text_; ///< in memory
  std::string head_;      ///< bytes that were looked at, to be read first
  size_t headAt_ = 0;     ///< the next of them
  uint64_t sizeBytes_ = 0;
  uint64_t fileBytes_ = 0;     ///< of a file, packed or not; 0: not known
  uint64_t rawBytes_ = 0;      ///< read so far
  uint64_t unpackedBytes_ = 0; ///< so far
  std::unique_ptr<RawInput> input_;
  std::unique_ptr<Unpacker> unpacker_;
  std::unique_ptr<char[]> packed_; ///< kPackedBytes
  std::string_view packedRest_;    ///< in packed_
  bool inputEnded_ = false, ended_ = false, hasPaused_ = false;
};

} // namespace mpf
