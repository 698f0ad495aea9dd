// COMPILED KERNELS: C++ kernels for operations of a bundle, compiled by the system's compiler (or
// found in the cache on disk) and loaded. Their text is generated from the operations' digits
// alone, so code from a bundle's file never runs.
//
// choose_compiled.h chooses the operations. Without a compiler there are no compiled kernels. If
// the compiler fails for one kernel, the built-in kernels run its operations, and note() gives the
// reason.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/execute/compiled/load_texts.h"

#include <string>

namespace mpf {

class CompiledKernels {
public:
  struct Kernel {
    void *function = nullptr; ///< signature: compiled_text.h; null: the built-in kernels run it
    uint64_t pieces = 0;
  };

  CompiledKernels() = default;
  /// Throws Error(Device) only if forbidCompiling is set.
  CompiledKernels(const Bundle &bundle, const CompiledKernelOptions &options);

  Kernel of(size_t operation) const {
    return operation < kernels_.size() ? kernels_[operation] : Kernel{};
  }
  size_t count() const { return libraries_.size(); }
  /// Returns the number of kernels that would pay but could not be compiled; note() is the reason
  /// for the first, in one line. Nothing is compiled if less memory is left beside the tables than
  /// a compiler needs.
  size_t failed() const { return failed_; }
  const std::string &note() const { return note_; }

private:
  std::vector<Kernel> kernels_; ///< by operation; or empty
  std::vector<DynamicLibrary> libraries_;
  size_t failed_ = 0;
  std::string note_;
};

} // namespace mpf
