#include "runtime/compile/disk_cache.h"

#include "dsl/support/check.h"
#include "dsl/support/error.h"
#include "dsl/support/files/file_input.h"
#include "dsl/support/files/file_output.h"
#include "dsl/support/files/list_folder.h"
#include "dsl/support/files/trusted_path.h"
#include "dsl/support/system/environment.h"

#include <algorithm>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <link.h>
#include <mutex>
#include <sys/stat.h>
#include <tuple>

namespace mpf {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "mpfcub1\n";
constexpr CacheKind kKinds[] = {CacheKind::Cubin, CacheKind::Choice, CacheKind::Object,
                                CacheKind::Speed};
constexpr int64_t kSlowestWriteSeconds = 3600; ///< older temporary files have no writer any more
constexpr uint64_t kMaxEntryBytes = uint64_t{64} << 20;

std::string_view suffixOf(CacheKind kind) {
  switch (kind) {
  case CacheKind::Cubin:
    return ".cubin";
  case CacheKind::Choice:
    return ".choice";
  case CacheKind::Object:
    return ".so";
  case CacheKind::Speed:
    return ".speed";
  }
  MPF_UNREACHABLE("kind {}", static_cast<int>(kind));
}

/// Returns the kind of the entry in a file of this name, or none if the file is no entry.
std::optional<CacheKind> kindOf(const std::string &name) {
  for (const CacheKind kind : kKinds)
    if (name.size() == 32 + suffixOf(kind).size() && name.ends_with(suffixOf(kind)))
      return kind;
  return std::nullopt;
}

/// True for the temporary file of a process that was killed while it wrote an entry. Earlier
/// versions put ".tmp" behind the entry's name.
bool isLeftover(const std::string &name) {
  return name.starts_with(kTemporaryPrefix) ||
         (name.find(".tmp") != std::string::npos && kindOf(name.substr(0, name.find(".tmp"))));
}

std::string checksum(std::string_view contents) {
  return HashBuilder().add(contents).finish().hex();
}

/// The state of DiskCache::entryFault. It belongs to the process, because a process opens several
/// caches.
class EntryFault {
public:
  void set(std::string fault) {
    const std::scoped_lock lock(mutex_);
    if (fault_.empty())
      fault_ = std::move(fault);
  }
  std::string get() {
    const std::scoped_lock lock(mutex_);
    return fault_;
  }

private:
  std::mutex mutex_;
  std::string fault_;
};

EntryFault &entryFaultOfProcess() {
  static EntryFault fault;
  return fault;
}

/// Reports `status`, unless it means that the file does not exist: another process may have removed
/// it.
void tell(std::error_code *problem, const std::error_code &status) {
  if (problem != nullptr && status && status != std::errc::no_such_file_or_directory)
    *problem = status;
}

/// True if the folder is trusted. Reports a problem if it exists and is not trusted.
bool isUsable(const TrustedPath &folder, std::error_code *problem) {
  if (!folder.isTrusted() && folder.trust() != PathTrust::Missing)
    tell(problem, std::make_error_code(std::errc::permission_denied));
  return folder.isTrusted();
}

int64_t secondsOf(fs::file_time_type time) {
  const auto system = std::chrono::file_clock::to_sys(time);
  return std::chrono::duration_cast<std::chrono::seconds>(system.time_since_epoch()).count();
}

std::string pathIn(const TrustedPath &folder, const std::string &key, CacheKind kind) {
  return fmt::format("{}/{}{}", folder.heldPath(), key, suffixOf(kind));
}

std::vector<CacheEntry> entriesIn(const TrustedPath &folder, std::error_code *problem) {
  std::vector<CacheEntry> list;
  if (!isUsable(folder, problem))
    return list;
  std::error_code status;
  for (const std::string &name : namesIn(folder.heldPath(), status)) {
    const std::optional<CacheKind> kind = kindOf(name);
    if (!kind)
      continue;
    const fs::path path = folder.heldPath() + '/' + name;
    std::error_code ofSize, ofTime; // separate, because each call clears its status
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

size_t removeLeftovers(const TrustedPath &folder, int64_t olderThanSeconds,
                       std::error_code *problem) {
  size_t removed = 0;
  std::error_code status;
  const int64_t now = secondsOf(fs::file_time_type::clock::now());
  for (const std::string &name : namesIn(folder.heldPath(), status)) {
    if (!isLeftover(name))
      continue;
    const fs::path path = folder.heldPath() + '/' + name;
    std::error_code ofTime, ofRemoval;
    const auto time = fs::last_write_time(path, ofTime);
    if (!ofTime && now - secondsOf(time) >= olderThanSeconds)
      removed += fs::remove(path, ofRemoval) ? 1 : 0;
    tell(problem, ofTime ? ofTime : ofRemoval);
  }
  tell(problem, status);
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

namespace {

/// Returns the file of this code: a shared library if one has it, else the program.
fs::path ownFile(std::error_code &status) {
  Dl_info info{};
  link_map *loaded = nullptr;
  const bool isKnown = ::dladdr1(reinterpret_cast<const void *>(&ownFile), &info,
                                 reinterpret_cast<void **>(&loaded), RTLD_DL_LINKMAP) != 0;
  if (isKnown && loaded != nullptr && loaded->l_name[0] != '\0') // the program has no name there
    return fs::canonical(loaded->l_name, status);
  return fs::read_symlink("/proc/self/exe", status);
}

} // namespace

std::string DiskCache::shippedFolder() {
  std::error_code status;
  const fs::path own = ownFile(status).parent_path(), above = own.parent_path();
  if (status)
    return "";
  // Beside the file, or in share/ of an installation whose libraries may lie in lib/ARCHITECTURE.
  const fs::path inShare = fs::path("share") / "mpf" / "kernels";
  for (const fs::path &folder : {own / "kernels", above / inShare, above.parent_path() / inShare})
    if (fs::is_directory(folder, status))
      return folder.string();
  return "";
}

DiskCache::DiskCache(std::string folder, uint64_t limitBytes)
    : folder_(std::move(folder)), limitBytes_(limitBytes) {
  while (folder_.size() > 1 && folder_.back() == '/') // a slash at the end would follow a link
    folder_.pop_back();
}

std::string DiskCache::entryFault() { return entryFaultOfProcess().get(); }

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

/// Makes the folder accessible to this user only. Folders above it get the default permissions.
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
  const std::string name = fmt::format("{}/{}{}", folder_, key.hex(), suffixOf(kind));
  if (!entry.isTrusted()) {
    const std::string remedy = entry.remedy(name);
    if (entry.trust() != PathTrust::Missing)
      entryFaultOfProcess().set(fmt::format("{} is not used, because {}: {} ends that", name,
                                            entry.reason(),
                                            remedy.empty() ? "removing it" : remedy));
    return std::nullopt;
  }
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
    // An unreadable entry is a miss.
  }
  if (kind == CacheKind::Speed)
    entryFaultOfProcess().set(
        fmt::format("{}, the measured speed of this machine, was damaged and is removed: predicted "
                    "times go by another machine's until mpfc calibrate measures it again",
                    name));
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
  try {
    evict(folder);
  } catch (const std::bad_alloc &) {
    // The next store evicts.
  }
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
  for (const std::string &name : namesIn(folder.heldPath(), status))
    if (kindOf(name) == kind)
      return true;
  return false;
}

std::vector<CacheEntry> DiskCache::entries(std::error_code *problem) const {
  return entriesIn(TrustedPath(folder_, PathKind::Folder), problem);
}

void DiskCache::evict(const TrustedPath &folder) const {
  removeLeftovers(folder, kSlowestWriteSeconds, nullptr);
  uint64_t total = 0;
  std::error_code status;
  for (const CacheEntry &entry : entriesIn(folder, nullptr)) {
    total += entry.sizeBytes;
    if (total > limitBytes_)
      fs::remove(pathIn(folder, entry.key, entry.kind), status);
  }
}

size_t DiskCache::clear(std::error_code *problem) const {
  const TrustedPath folder(folder_, PathKind::Folder);
  if (!isUsable(folder, problem))
    return 0;
  size_t removed = removeLeftovers(folder, 0, problem);
  for (const CacheEntry &entry : entriesIn(folder, problem)) {
    std::error_code status;
    removed += fs::remove(pathIn(folder, entry.key, entry.kind), status) ? 1 : 0;
    tell(problem, status);
  }
  return removed;
}

} // namespace mpf
