// mpfc cache: what the cache of compiled kernels holds, and a way to empty it.
#include "dsl/support/number_text.h"
#include "runtime/compile/disk_cache.h"
#include "tools/mpfc/commands.h"
#include "tools/mpfc/output.h"

namespace mpf::driver {

namespace {

std::string describe(const DiskCache &cache) {
  uint64_t bytes = 0, kernels = 0, choices = 0;
  for (const CacheEntry &entry : cache.entries()) {
    bytes += entry.sizeBytes;
    ++(entry.kind == CacheKind::Choice ? choices : kernels);
  }
  const std::string tuned =
      choices == 0 ? "" : ", " + counted(choices, "choice by measuring", "choices by measuring");
  return fmt::format("{}: {}{}, {} of at most {}\n", cache.folder(),
                     counted(kernels, "kernel", "kernels"), tuned, formatBytes(bytes),
                     formatBytes(DiskCache::kDefaultLimitBytes));
}

std::string list(const DiskCache &cache) {
  std::string text;
  for (const CacheEntry &entry : cache.entries())
    text += fmt::format("{} size_bytes={}{}\n", entry.key, entry.sizeBytes,
                        entry.kind == CacheKind::Choice ? " choice" : "");
  return text;
}

} // namespace

int runCache(const Options &options) {
  const DiskCache cache;
  if (options.cacheAction == "clear")
    writeResult(options, fmt::format("{} removed from {}\n",
                                     counted(cache.clear(), "entry", "entries"), cache.folder()));
  else
    writeResult(options, options.cacheAction == "list" ? list(cache) : describe(cache));
  return 0;
}

} // namespace mpf::driver
