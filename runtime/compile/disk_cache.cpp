#include "runtime/compile/disk_cache.h"

#include "dsl/support/environment.h"
#include "dsl/support/error.h"
#include "dsl/support/file_input.h"
#include "dsl/support/file_output.h"
#include "dsl/support/trusted_path.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <tuple>

namespace mpf {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "mpfcub1\n";
constexpr CacheKind kKinds[] = {CacheKind::Cubin, CacheKind::Choice, CacheKind::Object};
constexpr int64_t kSlowestWriteSeconds = 3600; ///< temporary files that are older are nobody's
constexpr uint64_t kMaxEntryBytes = uint64_t{64} << 20;

std::string_view suffixOf(CacheKind kind) {
  return kind == CacheKind::Cubin ? ".cubin" : kind == CacheKind::Choice ? ".choice" : ".so";
}

/// Of the entry in a file of this name; none: it is no entry.
std::optional<CacheKind> kindOf(const std::string &name) {
  for (const CacheKind kind : kKinds)
    if (name.size() == 32 + suffixOf(kind).size() && name.ends_with(suffixOf(kind)))
      return kind;
  return std::nullopt;
}

/// What a process leaves that was killed while it wrote, here or in earlier versions.
bool isLeftover(const std::string &name) {
  return name.starts_with(kTemporaryPrefix) ||
         (name.find(".tmp") != std::string::npos && kindOf(name.substr(0, name.find(".tmp"))));
}

std::string checksum(std::string_view contents) {
  return HashBuilder().add(contents).finish().hex();
}

int64_t secondsOf(fs::file_time_type time) {
  const auto system = std::chrono::file_clock::to_sys(time);
  return std::chrono::duration_cast<std::chrono::seconds>(system.time_since_epoch()).count();
}

std::string pathIn(const TrustedPath &folder, const std::string &key, CacheKind kind) {
  return fmt::format("{}/{}{}", folder.heldPath(), key, suffixOf(kind));
}

std::vector<CacheEntry> entriesIn(const TrustedPath &folder) {
  std::vector<CacheEntry> list;
  if (!folder.isTrusted())
    return list;
  std::error_code status;
  for (fs::directory_iterator at(folder.heldPath(), status), end; !status && at != end;
       at.increment(status)) {
    const std::string name = at->path().filename();
    const std::optional<CacheKind> kind = kindOf(name);
    if (!kind)
      continue;
    std::error_code gone;
    const uint64_t bytes = at->file_size(gone);
    const auto time = at->last_write_time(gone);
    if (!gone)
      list.push_back({name.substr(0, 32), *kind, bytes, secondsOf(time)});
  }
  std::sort(list.begin(), list.end(), [](const CacheEntry &a, const CacheEntry &b) {
    return std::tie(b.lastUseSeconds, a.key, a.kind) < std::tie(a.lastUseSeconds, b.key, b.kind);
  });
  return list;
}

size_t removeLeftovers(const TrustedPath &folder, int64_t olderThanSeconds) {
  size_t removed = 0;
  std::error_code status;
  const int64_t now = secondsOf(fs::file_time_type::clock::now());
  for (fs::directory_iterator at(folder.heldPath(), status), end; !status && at != end;
       at.increment(status)) {
    std::error_code gone;
    const bool isOld = now - secondsOf(at->last_write_time(gone)) >= olderThanSeconds;
    if (isLeftover(at->path().filename()) && isOld && !gone)
      removed += fs::remove(at->path(), gone) ? 1 : 0;
  }
  return removed;
}

} // namespace

std::string DiskCache::defaultFolder() {
  if (std::string folder = environmentValue("MPF_CACHE_DIR"); !folder.empty())
    return folder;
  if (const std::string cache = environmentValue("XDG_CACHE_HOME"); !cache.empty())
    return cache + "/mpf";
  if (const std::string home = environmentValue("HOME"); !home.empty())
    return home + "/.cache/mpf";
  std::error_code status;
  const std::string temporary = temporaryFolder();
  return fs::is_directory(temporary, status) ? temporary + "/mpf-cache" : "";
}

DiskCache::DiskCache(std::string folder, uint64_t limitBytes)
    : folder_(std::move(folder)), limitBytes_(limitBytes) {
  while (folder_.size() > 1 && folder_.back() == '/') // what a link in front of it is followed for
    folder_.pop_back();
}

std::string DiskCache::fault() const {
  if (folder_.empty())
    return "there is no folder for the cache of kernels: MPF_CACHE_DIR can name one";
  const TrustedPath folder(folder_, PathKind::Folder);
  if (folder.isTrusted() || folder.trust() == PathTrust::Missing)
    return "";
  const std::string remedy = folder.remedy(folder_);
  return fmt::format("the cache of kernels in {} is not used, because {}: {}MPF_CACHE_DIR can name "
                     "another folder",
                     folder_, folder.reason(),
                     remedy.empty() ? "" : fmt::format("{} ends that, or ", remedy));
}

/// For this user alone. Those above it as they come.
void DiskCache::makeFolder() const {
  if (folder_.empty())
    return;
  std::error_code status;
  fs::create_directories(fs::path(folder_).parent_path(), status);
  ::mkdir(folder_.c_str(), S_IRWXU);
}

bool DiskCache::holds(const Hash128 &key, CacheKind kind) const {
  const TrustedPath folder(folder_, PathKind::Folder);
  std::error_code status;
  return folder.isTrusted() && fs::exists(pathIn(folder, key.hex(), kind), status);
}

std::optional<std::string> DiskCache::load(const Hash128 &key, CacheKind kind) const {
  const TrustedPath folder(folder_, PathKind::Folder);
  if (!folder.isTrusted())
    return std::nullopt;
  const std::string path = pathIn(folder, key.hex(), kind);
  const TrustedPath entry(path, PathKind::File);
  if (!entry.isTrusted())
    return std::nullopt;
  try {
    std::string file = readFile(entry.heldPath(), kMaxEntryBytes);
    const size_t header = kMagic.size() + 32;
    if (file.size() > header && file.starts_with(kMagic)) {
      std::string contents = file.substr(header);
      if (file.compare(kMagic.size(), 32, checksum(contents)) == 0) {
        ::futimens(entry.descriptor(), nullptr);
        return contents;
      }
    }
  } catch (const Error &) {
    // Unreadable is a miss like any other.
  }
  std::error_code status;
  fs::remove(path, status);
  return std::nullopt;
}

bool DiskCache::store(const Hash128 &key, const std::string &contents, CacheKind kind) const {
  makeFolder();
  const TrustedPath folder(folder_, PathKind::Folder);
  if (!folder.isTrusted())
    return false;
  try {
    writeFile(pathIn(folder, key.hex(), kind),
              fmt::format("{}{}{}", kMagic, checksum(contents), contents),
              {.expendable = true, .ownerOnly = true});
  } catch (const Error &) {
    return false;
  }
  evict(folder);
  return true;
}

void DiskCache::remove(const Hash128 &key, CacheKind kind) const {
  const TrustedPath folder(folder_, PathKind::Folder);
  std::error_code status;
  if (folder.isTrusted())
    fs::remove(pathIn(folder, key.hex(), kind), status);
}

bool DiskCache::holdsAny(CacheKind kind) const {
  const TrustedPath folder(folder_, PathKind::Folder);
  if (!folder.isTrusted())
    return false;
  std::error_code status;
  for (fs::directory_iterator at(folder.heldPath(), status), end; !status && at != end;
       at.increment(status))
    if (kindOf(at->path().filename()) == kind)
      return true;
  return false;
}

std::vector<CacheEntry> DiskCache::entries() const {
  return entriesIn(TrustedPath(folder_, PathKind::Folder));
}

void DiskCache::evict(const TrustedPath &folder) const {
  removeLeftovers(folder, kSlowestWriteSeconds);
  uint64_t total = 0;
  std::error_code status;
  for (const CacheEntry &entry : entriesIn(folder)) {
    total += entry.sizeBytes;
    if (total > limitBytes_)
      fs::remove(pathIn(folder, entry.key, entry.kind), status);
  }
}

size_t DiskCache::clear() const {
  const TrustedPath folder(folder_, PathKind::Folder);
  if (!folder.isTrusted())
    return 0;
  size_t removed = removeLeftovers(folder, 0);
  std::error_code status;
  for (const CacheEntry &entry : entriesIn(folder))
    removed += fs::remove(pathIn(folder, entry.key, entry.kind), status) ? 1 : 0;
  return removed;
}

} // namespace mpf
