// Kernels by content: memory, then disk, then the compiler; many at once.
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
  bool forbidCompiling =
      false;            ///< a miss is Error(Device): proves that a warm run compiles nothing
  unsigned threads = 0; ///< concurrent compilations; 0 = number of processors
  /// When set: a miss is Error(Device) with this text, why nothing can be compiled here.
  std::string noCompilingBecause;
  std::string cacheFolder; ///< empty: DiskCache::defaultFolder()
  uint64_t cacheLimitBytes = DiskCache::kDefaultLimitBytes;
  CacheKind kind = CacheKind::Cubin;
  std::string dumpFolder; ///< when set: sources and logs are written there, named by kernel, cached
                          ///< kernels included
  /// When set: NAME.cu there replaces the source of kernel NAME. Folder and files must be the
  /// user's (dsl/support/files/trusted_path.h).
  std::string overrideFolder;
};

/// The answer to one request: a kernel, or why there is none.
struct CompileOutcome {
  CompiledKernel kernel;
  std::exception_ptr problem;
};

/// Opens a compiler; throws Error(Device) where there is none.
using CompilerOpener = std::function<std::unique_ptr<Compiler>()>;

/// Thread-safe. The compiler is opened once, at the first request: its version is part of every
/// key.
class KernelStore {
public:
  explicit KernelStore(CompilerOpener opener, KernelStoreOptions options = {});
  ~KernelStore();

  /// Images in the order of the requests; equal sources are compiled once. Errors as
  /// Compiler::compile; the first failing request (in request order) is thrown after all
  /// threads have ended. Error(BadInput) for folders that are not there, cannot be written, or are
  /// not the user's, and for an overriding source that does not compile.
  std::vector<CompiledKernel> compileAll(const std::vector<CompileRequest> &requests);
  /// The same where one request's failure is no other's: errors are in the outcomes. Throws
  /// Error(BadInput) only for folders that are not there or not the user's.
  std::vector<CompileOutcome> compileEach(const std::vector<CompileRequest> &requests);
  CacheCounters counters() const;
  /// What was compiled for it is of no use: the cache on disk forgets it.
  void discard(const CompileRequest &request);

  /// As Compiler::version. Throws Error(Device) without one.
  const std::string &compilerVersion() { return compiler().version(); }

private:
  const Compiler &compiler();
  CompiledKernel obtain(CompileRequest request);
  void dump(const CompileRequest &request, const CompiledKernel &kernel) const;

  CompilerOpener opener_;
  KernelStoreOptions options_;
  DiskCache disk_;
  std::mutex mutex_; ///< guards compiler_
  std::unique_ptr<Compiler> compiler_;
  std::atomic<uint64_t> diskHits_{0}, compiled_{0}, stored_{0};
};

} // namespace mpf
