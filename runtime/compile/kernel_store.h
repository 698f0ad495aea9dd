// KERNEL STORE: compiles many kernels at once, each source only once, and keeps the results in the
// cache on disk.
#pragma once

#include "runtime/compile/compiler.h"
#include "runtime/compile/disk_cache.h"

#include <atomic>
#include <exception>
#include <functional>
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
  bool forbidCompiling = false; ///< a miss is Error(Device); proves that a run compiles nothing
  unsigned threads = 0;         ///< concurrent compilations; 0 = number of processors
  /// The reason why nothing can be compiled. If not empty, a miss is Error(Device) with this text.
  std::string noCompilingBecause;
  std::string cacheFolder; ///< empty: DiskCache::defaultFolder()
  uint64_t cacheLimitBytes = DiskCache::kDefaultLimitBytes;
  CacheKind kind = CacheKind::Cubin;
  std::string dumpFolder;   ///< when not empty: receives sources and logs of all kernels, named by
                            ///< kernel, also of cached ones
  std::string dumpedBehind; ///< comment behind dumped sources, except overriding ones: the purpose
                            ///< of the kernels
  /// A folder with files NAME.cu, which replace the sources of kernels NAME; empty: none. Folder
  /// and files must belong to the user (dsl/support/files/trusted_path.h).
  std::string overrideFolder;
};

/// The outcome of one request: a kernel, or the error that prevented it.
struct CompileOutcome {
  CompiledKernel kernel;
  std::exception_ptr problem;
};

/// Opens a compiler; throws Error(Device) if there is none.
using CompilerOpener = std::function<std::unique_ptr<Compiler>()>;

/// Thread-safe. The compiler is opened once, at the first request, since its version is part of
/// every key.
class KernelStore {
public:
  explicit KernelStore(CompilerOpener opener, KernelStoreOptions options = {});
  ~KernelStore();

  /// Returns kernels in the order of the requests; equal sources are compiled once. After all
  /// threads have ended, throws the error of Compiler::compile for the first failing request.
  /// Throws Error(BadInput) for folders that do not exist, cannot be written or do not belong to
  /// the user, and for an overriding source that does not compile.
  std::vector<CompiledKernel> compileAll(const std::vector<CompileRequest> &requests);
  /// Like compileAll, but returns the errors of single requests in the outcomes. Throws only
  /// Error(BadInput), for folders that do not exist or do not belong to the user.
  std::vector<CompileOutcome> compileEach(const std::vector<CompileRequest> &requests);
  CacheCounters counters() const;
  /// Removes the request's kernel from the cache on disk, because it turned out to be useless.
  void discard(const CompileRequest &request);

  /// Compiler::version. Throws Error(Device) when there is no compiler.
  const std::string &compilerVersion() { return compiler().version(); }

private:
  const Compiler &compiler();
  /// Looks in the cache, then among the kernels that the build compiled.
  std::optional<CompiledKernel> load(const Hash128 &key) const;
  CompiledKernel obtain(CompileRequest request);
  void dump(const CompileRequest &request, const CompiledKernel &kernel, bool overridden) const;

  CompilerOpener opener_;
  KernelStoreOptions options_;
  DiskCache disk_;
  std::mutex mutex_; ///< guards compiler_
  std::unique_ptr<Compiler> compiler_;
  std::atomic<uint64_t> diskHits_{0}, compiled_{0}, stored_{0};
};

} // namespace mpf
