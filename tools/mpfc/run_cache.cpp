// mpfc cache: what the cache of compiled kernels holds, and a way to empty it.
#include "dsl/support/number_text.h"
#include "runtime/compile/disk_cache.h"
#include "tools/mpfc/commands.h"
#include "tools/mpfc/output.h"

namespace mpf::driver {

namespace {

std::string describe(const DiskCache &cache) {
  uint64_t bytes = 0;
  const std::vector<CacheEntry> entries = cache.entries();
  for (const CacheEntry &entry : entries)
    bytes += entry.sizeBytes;
  return fmt::format("{}: {}, {} of at most {}\n", cache.folder(),
                     counted(entries.size(), "kernel", "kernels"), formatBytes(bytes),
                     formatBytes(DiskCache::kDefaultLimitBytes));
}

std::string list(const DiskCache &cache) {
  std::string text;
  for (const CacheEntry &entry : cache.entries())
    text += fmt::format("{} size_bytes={}\n", entry.key, entry.sizeBytes);
  return text;
}

} // namespace

int runCache(const Options &options) {
  const DiskCache cache;
  if (options.cacheAction == "clear")
    writeResult(options, fmt::format("{} removed from {}\n",
                                     counted(cache.clear(), "kernel", "kernels"), cache.folder()));
  else
    writeResult(options, options.cacheAction == "list" ? list(cache) : describe(cache));
  return 0;
}

} // namespace mpf::driver
