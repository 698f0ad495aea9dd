// OWN KERNELS: operations of a bundle for which a kernel is written, compiled by the system's C++
// compiler (or found in the cache on disk) and loaded. The text comes from the operation's digits
// alone: a bundle from elsewhere brings numbers, never code that would be run here.
//
// Compiling takes about a quarter of a second, so that is done only where it is predicted to save
// more over the runs to be expected. Which operations those are depends on the bundle and the
// options alone, never on what is in the cache or how long something took: a machine gives the same
// bits in every run. Without a compiler there are none; where it fails for one kernel, the built-in
// ones run that one's operations. note() says why.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/compile/dynamic_library.h"

#include <string>

namespace mpf {

struct TileTarget; // cpu_operation.h

struct OwnKernelOptions {
  /// Runs over which compiling must pay; 0: nothing is compiled; infinity: whatever can be.
  double expectedRuns = 0;
  bool forbidCompiling = false; ///< a kernel that is not in the cache is Error(Device)
  unsigned threads = 0;         ///< concurrent compilations; 0: number of processors
  std::string cacheFolder;      ///< empty: DiskCache::defaultFolder()
};

/// One compilation on one core, measured: 0.22 s in the median of 137, 0.34 s in nine of ten.
inline constexpr double kOwnCompileUs = 250000;

class OwnKernels {
public:
  struct Kernel {
    void *function = nullptr; ///< as own_text.h says; null: the built-in kernels run it
    uint64_t pieces = 0;
  };

  OwnKernels() = default;
  /// `tile`: of the built-in kernels that would run them; its number of threads is not read, so
  /// that the choice does not depend on it. Throws Error(Device) only as forbidCompiling says.
  OwnKernels(const Bundle &bundle, TileTarget tile, const OwnKernelOptions &options);

  Kernel of(size_t operation) const {
    return operation < kernels_.size() ? kernels_[operation] : Kernel{};
  }
  size_t count() const { return libraries_.size(); }
  /// Kernels that would pay and are not there; note() says why of the first, in one line.
  size_t failed() const { return failed_; }
  const std::string &note() const { return note_; }

private:
  std::vector<Kernel> kernels_; ///< by operation, or empty
  std::vector<DynamicLibrary> libraries_;
  size_t failed_ = 0;
  std::string note_;
};

/// Operation `index` may have a kernel of its own: linear, of floating-point entries, not one that
/// adds up slices.
bool mayHaveOwn(const Bundle &bundle, size_t index);

} // namespace mpf
