// DISK CACHE: compiled kernels, the choices of autotune, and the measured speed of the machine
// (runtime/machine/stored_speed.h), on disk. All processes of a user share it.
//
// Readers take no lock: an entry is written to a temporary file and renamed into place, so a file
// is either whole or absent. Each entry has a checksum; an entry that fails it counts as a miss and
// is removed. When the cache exceeds its limit, the least recently used entries are removed (every
// hit sets an entry's modification time). On a full or read-only disk nothing is cached, without an
// error.
//
// mpf loads entries as code or compiles them. Therefore it does not use a folder or an entry that
// other users can write to (trusted_path.h). In a folder that it uses, only the owner can add or
// replace files, and exchanging the folder itself during an operation has no effect on it.
#pragma once

#include "dsl/support/hash.h"

#include <cstdint>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace mpf {

class TrustedPath;

/// The contents of an entry; one key may have an entry of each kind.
enum class CacheKind { Cubin, Choice, Object, Speed };

struct CacheEntry {
  std::string key; ///< 32 hexadecimal digits
  CacheKind kind = CacheKind::Cubin;
  uint64_t sizeBytes = 0;
  int64_t lastUseSeconds = 0; ///< since the epoch
};

/// Thread-safe and safe between processes: the file system is the only state.
class DiskCache {
public:
  /// Returns $MPF_CACHE_DIR, else $XDG_CACHE_HOME/mpf, else ~/.cache/mpf, else mpf-cache in the
  /// folder for temporary files. Empty if none of these exists.
  static std::string defaultFolder();
  /// Returns the folder of kernels that were compiled when mpf was built (mpfc cache fill):
  /// `kernels` next to the file of this library (the program, where that has the library inside),
  /// else share/mpf/kernels next to that file's folder, or to the folder above. Empty if there is
  /// none.
  static std::string shippedFolder();
  static constexpr uint64_t kDefaultLimitBytes = uint64_t{512} << 20;

  explicit DiskCache(std::string folder = defaultFolder(),
                     uint64_t limitBytes = kDefaultLimitBytes);

  /// Returns one sentence with the reason why the folder cannot be used, and a remedy. Empty if it
  /// can be used or does not exist yet. With a fault, the other functions find nothing and store
  /// nothing.
  std::string fault() const;

  /// Returns one sentence about the first entry that this process found and did not use: its fault
  /// and a remedy. Empty if there was none. Damaged kernels are compiled again and not reported. A
  /// damaged speed is reported, since nothing measures it again.
  static std::string entryFault();

  std::optional<std::string> load(const Hash128 &key, CacheKind kind = CacheKind::Cubin) const;
  /// Whether there is a file for the key, damaged or not.
  bool holds(const Hash128 &key, CacheKind kind) const;
  /// Whether there is any entry of that kind; quicker than entries().
  bool holdsAny(CacheKind kind) const;
  /// Returns false when the entry could not be written; throws nothing.
  bool store(const Hash128 &key, const std::string &contents,
             CacheKind kind = CacheKind::Cubin) const;

  /// Removes one entry, if it exists.
  void remove(const Hash128 &key, CacheKind kind) const;
  /// Returns all entries, most recently used first. If some may be missing, sets `problem` to the
  /// reason.
  std::vector<CacheEntry> entries(std::error_code *problem = nullptr) const;
  /// Removes all entries and returns their number. If some may remain, sets `problem` to the
  /// reason.
  size_t clear(std::error_code *problem = nullptr) const;
  const std::string &folder() const { return folder_; }

private:
  void makeFolder() const;
  void evict(const TrustedPath &folder) const;

  std::string folder_;
  uint64_t limitBytes_;
};

} // namespace mpf
