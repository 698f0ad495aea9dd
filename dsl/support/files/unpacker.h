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

  /// Unpacks bytes from the front of `packed`, removes them there, and writes to
  /// [into, into + size), which is not empty. There may be more to write without more packed bytes.
  /// `isLast`: no packed bytes follow `packed`. Throws Error(BadInput) for broken data and for data
  /// that end too early, std::bad_alloc where there is no memory.
  Step step(std::string_view &packed, bool isLast, char *into, size_t size);

protected:
  Unpacker(const std::string &path, const char *format) : path_(path), format_(format) {}
  /// As step(); false: the data are broken.
  virtual bool tryStep(std::string_view &packed, bool isLast, char *into, size_t size,
                       Step &done) = 0;

private:
  std::string path_;
  const char *format_;
};

/// The first bytes by which packed data are known: as many as isPacked and unpackerFor look at.
inline constexpr size_t kPackedStartBytes = 6;

/// Whether data that start so are packed.
bool isPacked(std::string_view start);

/// What unpacks data that start with `start`. Null: they are not packed. `path` is for
/// messages. Throws Error(BadInput) for a ZIP archive (.npz), which may hold several files.
std::unique_ptr<Unpacker> unpackerFor(std::string_view start, const std::string &path);

} // namespace mpf
