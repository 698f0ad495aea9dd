// COMPILED STRIPS: functions for steps of a lane program, compiled by the system's compiler (or
// found in the cache on disk) and loaded. Without a compiler there are none.
#pragma once

#include "runtime/execute/compiled/load_texts.h"
#include "runtime/execute/lanes/compiled/choose_strips.h"

#include <string>
#include <vector>

namespace mpf {

template <class T>
using StripFunction = void (*)(const T *shared, const T *weights, T *arena,
                               const std::byte *const *codes, int32_t *exponents, uint8_t *left);

class CompiledStrips {
public:
  CompiledStrips() = default;
  /// Throws Error(Device) only if forbidCompiling is set.
  CompiledStrips(StripChoice choice, const CompiledKernelOptions &options);

  /// Returns the function of the segment that begins at a step, or null.
  void *function(size_t step) const {
    return step < functions_.size() ? functions_[step] : nullptr;
  }
  /// True if the function of a segment runs the step.
  bool runs(size_t step) const { return step < isRun_.size() && isRun_[step] != 0; }
  size_t count() const { return libraries_.size(); }
  /// Returns the number of texts that would pay but could not be compiled. note() is the reason for
  /// the first, in one line.
  size_t failed() const { return failed_; }
  const std::string &note() const { return note_; }

private:
  std::vector<void *> functions_; ///< by step; or empty
  std::vector<char> isRun_;       ///< by step; or empty
  std::vector<DynamicLibrary> libraries_;
  size_t failed_ = 0;
  std::string note_;
};

} // namespace mpf
