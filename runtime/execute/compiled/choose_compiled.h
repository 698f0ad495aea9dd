// For which operations of a bundle a kernel of its own is worth compiling: the one rule, of
// sessions and of `mpfc explain`.
//
// Compiling takes about a quarter of a second, so that is done only where it is predicted to save
// more over the runs to be expected. Which operations those are depends on the bundle, the runs and
// the processor's instruction set alone, never on what is in the cache, how many threads there are
// or how long something took: a machine gives the same bits in every run.
#pragma once

#include "codegen/bundle/bundle.h"

#include <string>
#include <vector>

namespace mpf {

/// One compilation on one core, measured: 0.22 s in the median of 137, 0.34 s in nine of ten.
inline constexpr double kCppCompileUs = 250000;

/// A kernel and the operations that share it.
struct CompiledChoice {
  std::string name;   ///< of its function
  std::string source; ///< what a compiler takes
  uint64_t pieces = 0;
  double gainUs = 0;  ///< over all runs to be expected, carefully
  double savedUs = 0; ///< in one run, as predicted
  std::vector<size_t> operations;
};

/// By first operation. `expectedRuns` 0: none; infinity: whatever can be compiled.
std::vector<CompiledChoice> chooseCompiled(const Bundle &bundle, double expectedRuns);

/// Operation `index` may have a kernel of its own: linear, of floating-point entries, not one that
/// adds up slices.
bool mayBeCompiled(const Bundle &bundle, size_t index);

} // namespace mpf
