// Compiled kernels, and choices of kernels by measuring, on disk, shared by all processes of a
// user.
//
// Readers take no lock: an entry is written to a temporary file and renamed into place, so a file
// is either whole or absent. Each entry carries a checksum; one that fails it is a miss and is
// removed. When the cache outgrows its limit, the entries unused for longest go (their
// modification time is set at every hit). A full or read-only disk only costs the caching.
#pragma once

#include "dsl/support/hash.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// What an entry holds; one key may have an entry of each kind. Objects are machine code for this
/// process: only files and folders that nobody else may write are believed.
enum class CacheKind { Cubin, Choice, Object };

struct CacheEntry {
  std::string key; ///< 32 hexadecimal digits
  CacheKind kind = CacheKind::Cubin;
  uint64_t sizeBytes = 0;
  int64_t lastUseSeconds = 0; ///< since the epoch
};

/// Thread-safe and safe between processes: the file system is the only state.
class DiskCache {
public:
  /// $MPF_CACHE_DIR, else $XDG_CACHE_HOME/mpf, else ~/.cache/mpf.
  static std::string defaultFolder();
  static constexpr uint64_t kDefaultLimitBytes = uint64_t{512} << 20;

  explicit DiskCache(std::string folder = defaultFolder(),
                     uint64_t limitBytes = kDefaultLimitBytes);

  std::optional<std::string> load(const Hash128 &key, CacheKind kind = CacheKind::Cubin) const;
  /// Whether there is a file for it, sound or not.
  bool holds(const Hash128 &key, CacheKind kind) const;
  /// Whether there is any entry of that kind; quicker than entries().
  bool holdsAny(CacheKind kind) const;
  /// False when the entry could not be written; nothing is thrown, the caller has its contents.
  bool store(const Hash128 &key, const std::string &contents,
             CacheKind kind = CacheKind::Cubin) const;

  /// All entries, most recently used first.
  std::vector<CacheEntry> entries() const;
  /// Removes everything; returns the number of entries removed.
  size_t clear() const;
  const std::string &folder() const { return folder_; }

private:
  std::string pathOf(const std::string &key, CacheKind kind) const;
  void evict() const;

  std::string folder_;
  uint64_t limitBytes_;
};

} // namespace mpf
