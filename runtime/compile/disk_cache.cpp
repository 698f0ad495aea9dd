#include "runtime/compile/disk_cache.h"

#include "dsl/support/error.h"
#include "dsl/support/file_input.h"
#include "dsl/support/file_output.h"
#include "dsl/support/list_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

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

enum class Trust { Full, Missing, NoFolder, Foreign, Open, Unreadable };

/// The one rule about what is believed: what this user or root wrote, and nobody else can write to.
/// `flags`: O_DIRECTORY for a folder. Links are not followed.
Trust trustIn(const std::string &path, int flags) {
  const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW | flags);
  if (file == -1)
    return errno == ENOENT                      ? Trust::Missing
           : errno == ENOTDIR || errno == ELOOP ? Trust::NoFolder
                                                : Trust::Unreadable;
  struct stat found {};
  const bool known = ::fstat(file, &found) == 0;
  ::close(file);
  if (!known)
    return Trust::Unreadable;
  if (found.st_uid != ::geteuid() && found.st_uid != 0)
    return Trust::Foreign;
  return (found.st_mode & (S_IWGRP | S_IWOTH)) != 0 ? Trust::Open : Trust::Full;
}

std::string_view reasonOf(Trust trust) {
  switch (trust) {
  case Trust::NoFolder:
    return "it is a link or no folder";
  case Trust::Foreign:
    return "it belongs to another user";
  case Trust::Open:
    return "its group or others can write to it";
  default:
    return "it cannot be opened";
  }
}

/// What was removed by others in the meantime, or was never there, is no problem.
void tell(std::error_code *problem, const std::error_code &status) {
  if (problem != nullptr && status && status != std::errc::no_such_file_or_directory)
    *problem = status;
}

int64_t secondsOf(fs::file_time_type time) {
  const auto system = std::chrono::file_clock::to_sys(time);
  return std::chrono::duration_cast<std::chrono::seconds>(system.time_since_epoch()).count();
}

} // namespace

std::string DiskCache::defaultFolder() {
  const auto variable = [](const char *name) {
    const char *value = std::getenv(name);
    return std::string(value ? value : "");
  };
  if (const std::string folder = variable("MPF_CACHE_DIR"); !folder.empty())
    return folder;
  if (const std::string cache = variable("XDG_CACHE_HOME"); !cache.empty())
    return cache + "/mpf";
  if (const std::string home = variable("HOME"); !home.empty())
    return home + "/.cache/mpf";
  std::error_code status;
  const fs::path temporary = fs::temp_directory_path(status);
  return status ? "" : temporary / "mpf-cache";
}

DiskCache::DiskCache(std::string folder, uint64_t limitBytes)
    : folder_(std::move(folder)), limitBytes_(limitBytes) {
  while (folder_.size() > 1 && folder_.back() == '/') // what a link in front of it is followed for
    folder_.pop_back();
}

std::string DiskCache::fault() const {
  if (folder_.empty())
    return "there is no folder for the cache of kernels: MPF_CACHE_DIR can name one";
  const Trust trust = trustIn(folder_, O_DIRECTORY);
  if (trust == Trust::Full || trust == Trust::Missing)
    return "";
  return fmt::format("the cache of kernels in {} is not used, because {}: {}MPF_CACHE_DIR can name "
                     "another folder",
                     folder_, reasonOf(trust),
                     trust == Trust::Open ? fmt::format("chmod go-w {} ends that, or ", folder_)
                                          : "");
}

bool DiskCache::isUsable(std::error_code *problem) const {
  if (fault().empty())
    return true;
  tell(problem, std::make_error_code(std::errc::permission_denied));
  return false;
}

/// For this user alone. Those above it as they come.
bool DiskCache::makeFolder() const {
  if (folder_.empty())
    return false;
  std::error_code status;
  fs::create_directories(fs::path(folder_).parent_path(), status);
  const bool made = ::mkdir(folder_.c_str(), S_IRWXU) == 0 || errno == EEXIST;
  return made && fault().empty();
}

std::string DiskCache::pathOf(const std::string &key, CacheKind kind) const {
  return fmt::format("{}/{}{}", folder_, key, suffixOf(kind));
}

bool DiskCache::holds(const Hash128 &key, CacheKind kind) const {
  std::error_code status;
  return fault().empty() && fs::exists(pathOf(key.hex(), kind), status);
}

std::optional<std::string> DiskCache::load(const Hash128 &key, CacheKind kind) const {
  const std::string path = pathOf(key.hex(), kind);
  std::error_code status;
  if (!holds(key, kind) || trustIn(path, 0) != Trust::Full)
    return std::nullopt;
  try {
    std::string file = readFile(path, kMaxEntryBytes);
    const size_t header = kMagic.size() + 32;
    if (file.size() > header && file.starts_with(kMagic)) {
      std::string contents = file.substr(header);
      if (file.compare(kMagic.size(), 32, checksum(contents)) == 0) {
        fs::last_write_time(path, fs::file_time_type::clock::now(), status);
        return contents;
      }
    }
  } catch (const Error &) {
    // Unreadable is a miss like any other.
  }
  fs::remove(path, status);
  return std::nullopt;
}

bool DiskCache::store(const Hash128 &key, const std::string &contents, CacheKind kind) const {
  if (!makeFolder())
    return false;
  const std::string path = pathOf(key.hex(), kind);
  try {
    writeFile(path, fmt::format("{}{}{}", kMagic, checksum(contents), contents),
              {.expendable = true, .ownerOnly = true});
  } catch (const Error &) {
    return false;
  }
  try {
    evict();
  } catch (const std::bad_alloc &) {
    // The next one to store something does it.
  }
  return true;
}

bool DiskCache::holdsAny(CacheKind kind) const {
  if (!fault().empty())
    return false;
  std::error_code status;
  for (const std::string &name : namesIn(folder_, status))
    if (kindOf(name) == kind)
      return true;
  return false;
}

std::vector<CacheEntry> DiskCache::entries(std::error_code *problem) const {
  std::vector<CacheEntry> list;
  if (!isUsable(problem))
    return list;
  std::error_code status;
  for (const std::string &name : namesIn(folder_, status)) {
    const std::optional<CacheKind> kind = kindOf(name);
    if (!kind)
      continue;
    const fs::path path = folder_ + '/' + name;
    std::error_code ofSize, ofTime; // each call clears its own
    const uint64_t bytes = fs::file_size(path, ofSize);
    const auto time = fs::last_write_time(path, ofTime);
    if (!ofSize && !ofTime)
      list.push_back({name.substr(0, 32), *kind, bytes, secondsOf(time)});
    else
      tell(problem, ofSize ? ofSize : ofTime);
  }
  tell(problem, status);
  std::sort(list.begin(), list.end(), [](const CacheEntry &a, const CacheEntry &b) {
    return std::tie(b.lastUseSeconds, a.key, a.kind) < std::tie(a.lastUseSeconds, b.key, b.kind);
  });
  return list;
}

size_t DiskCache::removeLeftovers(int64_t olderThanSeconds, std::error_code *problem) const {
  size_t removed = 0;
  std::error_code status;
  const int64_t now = secondsOf(fs::file_time_type::clock::now());
  for (const std::string &name : namesIn(folder_, status)) {
    if (!isLeftover(name))
      continue;
    const fs::path path = folder_ + '/' + name;
    std::error_code ofTime, ofRemoval;
    const auto time = fs::last_write_time(path, ofTime);
    if (!ofTime && now - secondsOf(time) >= olderThanSeconds)
      removed += fs::remove(path, ofRemoval) ? 1 : 0;
    tell(problem, ofTime ? ofTime : ofRemoval);
  }
  tell(problem, status);
  return removed;
}

void DiskCache::evict() const {
  removeLeftovers(kSlowestWriteSeconds);
  uint64_t total = 0;
  std::error_code status;
  for (const CacheEntry &entry : entries()) {
    total += entry.sizeBytes;
    if (total > limitBytes_)
      fs::remove(pathOf(entry.key, entry.kind), status);
  }
}

size_t DiskCache::clear(std::error_code *problem) const {
  if (!isUsable(problem))
    return 0;
  size_t removed = removeLeftovers(0, problem);
  for (const CacheEntry &entry : entries(problem)) {
    std::error_code status;
    removed += fs::remove(pathOf(entry.key, entry.kind), status) ? 1 : 0;
    tell(problem, status);
  }
  return removed;
}

} // namespace mpf
