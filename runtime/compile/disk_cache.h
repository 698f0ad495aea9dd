// Compiled kernels, and choices of kernels by measuring, on disk, shared by all processes of a
// user.
//
// Readers take no lock: an entry is written to a temporary file and renamed into place, so a file
// is either whole or absent. Each entry carries a checksum; one that fails it is a miss and is
// removed. When the cache outgrows its limit, the entries unused for longest go (their
// modification time is set at every hit). A full or read-only disk only costs the caching.
//
// What is in it is loaded as code or compiled: a folder or an entry that others can write to is not
// used (trusted_path.h). Nobody but its owner can put anything into a folder that is, or in the way
// of what is written there; exchanging the folder itself meanwhile changes nothing.
#pragma once

#include "dsl/support/hash.h"

#include <cstdint>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace mpf {

class TrustedPath;

/// What an entry holds; one key may have an entry of each kind.
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
  /// $MPF_CACHE_DIR, else $XDG_CACHE_HOME/mpf, else ~/.cache/mpf, else mpf-cache in the folder for
  /// temporary files. Empty: there is none of these.
  static std::string defaultFolder();
  static constexpr uint64_t kDefaultLimitBytes = uint64_t{512} << 20;

  explicit DiskCache(std::string folder = defaultFolder(),
                     uint64_t limitBytes = kDefaultLimitBytes);

  /// Why the folder is not used, and what to do about it, in one sentence; empty: it is used, or it
  /// is not there yet. Everything else here finds nothing and stores nothing then.
  std::string fault() const;

  std::optional<std::string> load(const Hash128 &key, CacheKind kind = CacheKind::Cubin) const;
  /// Whether there is a file for it, sound or not.
  bool holds(const Hash128 &key, CacheKind kind) const;
  /// Whether there is any entry of that kind; quicker than entries().
  bool holdsAny(CacheKind kind) const;
  /// False when the entry could not be written; nothing is thrown, the caller has its contents.
  bool store(const Hash128 &key, const std::string &contents,
             CacheKind kind = CacheKind::Cubin) const;

  /// Forgets one entry, if there is one.
  void remove(const Hash128 &key, CacheKind kind) const;
  /// All entries, most recently used first. `problem`: why some may be missing, else left alone.
  std::vector<CacheEntry> entries(std::error_code *problem = nullptr) const;
  /// Removes everything; returns the number of entries removed. `problem`: why some may be left.
  size_t clear(std::error_code *problem = nullptr) const;
  const std::string &folder() const { return folder_; }

private:
  void makeFolder() const;
  void evict(const TrustedPath &folder) const;

  std::string folder_;
  uint64_t limitBytes_;
};

} // namespace mpf
