// Kernels by content: memory, then disk, then the compiler; many at once.
#pragma once

#include "runtime/compile/compiler.h"
#include "runtime/compile/disk_cache.h"
#include "runtime/compile/nvrtc_compiler.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace mpf {

struct CacheCounters {
  uint64_t diskHits = 0;
  uint64_t compiled = 0;
  uint64_t stored = 0;
};

struct KernelStoreOptions {
  bool useDisk = true;
  bool forbidCompiling =
      false;               ///< a miss is Error(Device): proves that a warm run compiles nothing
  unsigned threads = 0;    ///< concurrent compilations; 0 = number of processors
  std::string cacheFolder; ///< empty: DiskCache::defaultFolder()
  uint64_t cacheLimitBytes = DiskCache::kDefaultLimitBytes;
  std::string dumpFolder; ///< when set: sources and logs are written there, named by kernel, cached
                          ///< kernels included
  std::string overrideFolder; ///< when set: NAME.cu there replaces the source of kernel NAME
};

/// Thread-safe. NVRTC is opened once, at the first request: its version is part of every key.
class KernelStore {
public:
  explicit KernelStore(KernelStoreOptions options = {});
  ~KernelStore();

  /// Images in the order of the requests; equal sources are compiled once. Errors as
  /// NvrtcCompiler::compile; the first failing request (in request order) is thrown after all
  /// threads have ended. Error(BadInput) for folders that are not there or cannot be written, and
  /// for an overriding source that does not compile.
  std::vector<CompiledKernel> compileAll(const std::vector<CompileRequest> &requests);
  CacheCounters counters() const;
  /// Of NVRTC: "13.0". Throws Error(Device) without one.
  const std::string &compilerVersion() { return compiler().version(); }

private:
  const NvrtcCompiler &compiler();
  CompiledKernel obtain(CompileRequest request);
  void dump(const CompileRequest &request, const CompiledKernel &kernel) const;

  KernelStoreOptions options_;
  DiskCache disk_;
  std::mutex mutex_; ///< guards compiler_
  std::unique_ptr<NvrtcCompiler> compiler_;
  std::atomic<uint64_t> diskHits_{0}, compiled_{0}, stored_{0};
};

} // namespace mpf
