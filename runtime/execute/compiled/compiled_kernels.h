// OWN KERNELS: operations of a bundle for which a kernel is written, compiled by the system's C++
// compiler (or found in the cache on disk) and loaded. The text comes from the operation's digits
// alone: a bundle from elsewhere brings numbers, never code that would be run here.
//
// choose_compiled.h says for which. Without a compiler there are none; where it fails for one
// kernel, the built-in ones run that one's operations. note() says why.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/compile/dynamic_library.h"

#include <string>

namespace mpf {

struct CompiledKernelOptions {
  /// Runs over which compiling must pay; 0: nothing is compiled; infinity: whatever can be.
  double expectedRuns = 0;
  bool forbidCompiling = false; ///< a kernel that is not in the cache is Error(Device)
  unsigned threads = 0;         ///< concurrent compilations; 0: number of processors
  std::string cacheFolder;      ///< empty: DiskCache::defaultFolder()
};

class CompiledKernels {
public:
  struct Kernel {
    void *function = nullptr; ///< as compiled_text.h says; null: the built-in kernels run it
    uint64_t pieces = 0;
  };

  CompiledKernels() = default;
  /// Throws Error(Device) only as forbidCompiling says.
  CompiledKernels(const Bundle &bundle, const CompiledKernelOptions &options);

  Kernel of(size_t operation) const {
    return operation < kernels_.size() ? kernels_[operation] : Kernel{};
  }
  size_t count() const { return libraries_.size(); }
  /// Kernels that would pay and are not there; note() says why of the first, in one line.
  /// Nothing is compiled where what is left beside the tables is less than a compiler takes.
  size_t failed() const { return failed_; }
  const std::string &note() const { return note_; }

private:
  std::vector<Kernel> kernels_; ///< by operation, or empty
  std::vector<DynamicLibrary> libraries_;
  size_t failed_ = 0;
  std::string note_;
};

} // namespace mpf
