// Unpacks gzip, xz or zstd data piece by piece.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace mpf {

/// The state of one packed file. Not thread-safe.
class Unpacker {
public:
  struct Step {
    size_t written = 0; ///< unpacked bytes
    bool ended = false; ///< all data are unpacked
  };

  virtual ~Unpacker() = default;

  /// Unpacks bytes from the front of `packed`, removes them there, and writes to [into, into +
  /// size), which is not empty. More output may follow without more packed bytes. `isLast`: no
  /// packed bytes follow `packed`. Throws Error(BadInput) for broken data and for data that end too
  /// early, std::bad_alloc if there is no memory.
  Step step(std::string_view &packed, bool isLast, char *into, size_t size);

protected:
  Unpacker(const std::string &path, const char *format) : path_(path), format_(format) {}
  /// Does the work of step(); returns false for broken data.
  virtual bool tryStep(std::string_view &packed, bool isLast, char *into, size_t size,
                       Step &done) = 0;

private:
  std::string path_;
  const char *format_;
};

/// Most first bytes that isPacked and unpackerFor look at.
inline constexpr size_t kPackedStartBytes = 6;

/// Whether data that begin with `start` are packed.
bool isPacked(std::string_view start);

/// Returns the unpacker for data that begin with `start`; null: they are not packed. `path` is for
/// messages. Throws Error(BadInput) for a ZIP archive (.npz), which may hold several files.
std::unique_ptr<Unpacker> unpackerFor(std::string_view start, const std::string &path);

} // namespace mpf
