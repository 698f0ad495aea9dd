// mpfc cache: shows what the cache of compiled kernels holds, empties it, or fills it.
#include "dsl/support/check.h"
#include "dsl/support/number_text.h"
#include "runtime/compile/disk_cache.h"
#include "runtime/machine/gpu_backend.h"
#include "tools/mpfc/commands.h"
#include "tools/mpfc/device_compiler.h"
#include "tools/mpfc/process/output.h"

namespace mpf::driver {

namespace {

/// Fails if the cache could not be read or emptied completely: a partial list would mislead.
void refuse(const DiskCache &cache, const std::error_code &problem, const char *what) {
  if (problem)
    fail(ErrorKind::BadInput, "{}: cannot be {}: {}", cache.folder(), what, problem.message());
}

std::vector<CacheEntry> entriesOf(const DiskCache &cache) {
  std::error_code problem;
  std::vector<CacheEntry> entries = cache.entries(&problem);
  refuse(cache, problem, "read");
  return entries;
}

std::string clear(const DiskCache &cache) {
  std::error_code problem;
  const std::string removed = counted(cache.clear(&problem), "entry", "entries");
  refuse(cache, problem, "emptied");
  return fmt::format("{} removed from {}\n", removed, cache.folder());
}

std::string describe(const DiskCache &cache) {
  uint64_t bytes = 0, kernels = 0, choices = 0;
  bool isCalibrated = false;
  for (const CacheEntry &entry : entriesOf(cache)) {
    bytes += entry.sizeBytes;
    if (entry.kind == CacheKind::Speed)
      isCalibrated = true;
    else
      ++(entry.kind == CacheKind::Choice ? choices : kernels);
  }
  const std::string tuned =
      choices == 0 ? "" : ", " + counted(choices, "choice by measuring", "choices by measuring");
  return fmt::format("{}: {}{}{}, {} of at most {}\n", cache.folder(),
                     counted(kernels, "kernel", "kernels"), tuned,
                     isCalibrated ? ", the measured speed of a machine" : "", formatBytes(bytes),
                     formatBytes(DiskCache::kDefaultLimitBytes));
}

std::string list(const DiskCache &cache) {
  std::string text;
  for (const CacheEntry &entry : entriesOf(cache))
    text += fmt::format("{} size_bytes={}{}\n", entry.key, entry.sizeBytes,
                        entry.kind == CacheKind::Choice  ? " choice"
                        : entry.kind == CacheKind::Speed ? " speed"
                                                         : "");
  return text;
}

} // namespace

void noteUnusedCache() {
  if (const std::string fault = DiskCache().fault(); !fault.empty())
    say("mpfc: note: {}\n", fault);
}

void noteUnusedEntry() {
  if (const std::string fault = DiskCache::entryFault(); !fault.empty())
    say("mpfc: note: {}\n", fault);
}

namespace {

/// Returns the architectures of --arch, else that of the machine's GPU: "sm_90".
std::vector<std::string> archsFor(const Options &options) {
  if (!options.archs.empty())
    return options.archs;
  const std::string arch = gpuBackendArch();
  if (arch.empty())
    fail(ErrorKind::Device, "{}; --arch names a GPU to compile for", gpuBackendUnavailable());
  return {arch};
}

} // namespace

int runCache(const Options &options) {
  const DiskCache cache(options.cacheFolder.empty() ? DiskCache::defaultFolder()
                                                    : options.cacheFolder);
  const std::string fault = cache.fault();
  if (!fault.empty() && options.cacheAction == "fill")
    fail(ErrorKind::BadInput, "{}; nothing was compiled", fault);
  if (options.cacheAction == "fill") {
    const std::vector<std::string> archs = archsFor(options);
    const size_t texts = fillKernelFolder(cache.folder(), archs) / archs.size();
    writeResult(options,
                fmt::format("{}: {} for {} each\n", cache.folder(), counted(texts, "text", "texts"),
                            counted(archs.size(), "GPU", "GPUs")));
    return 0;
  }
  if (!options.archs.empty())
    fail(ErrorKind::Usage, "--arch is for mpfc cache fill");
  if (!fault.empty() && options.cacheAction == "clear")
    fail(ErrorKind::BadInput, "{}; nothing was removed", fault);
  if (!fault.empty() && options.cacheAction == "list")
    say("mpfc: note: {}\n", fault); // the fault found above: asked again, it may be another one
  else if (!fault.empty())
    writeResult(options, fault + '\n');
  else if (options.cacheAction == "clear")
    writeResult(options, clear(cache));
  else
    writeResult(options, options.cacheAction == "list" ? list(cache) : describe(cache));
  return 0;
}

} // namespace mpf::driver
