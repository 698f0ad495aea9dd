// Chooses the operations of a bundle for which the CPU executor compiles C++ kernels (compiled
// kernels). Sessions and `mpfc explain` use this same rule.
//
// Compiling takes about a quarter of a second, so a kernel is compiled only where it is predicted
// to save more than that over the expected runs. The choice depends on the bundle, the expected
// runs and the processor's instruction set alone. It does not depend on the contents of the cache,
// the number of threads or measured times, so a machine gives the same bits in every run.
#pragma once

#include "codegen/bundle/bundle.h"

#include <string>
#include <vector>

namespace mpf {

/// Time of one compilation on one core. Measured: of 137 compilations the median took 0.22 s, and
/// nine of ten took at most 0.34 s.
inline constexpr double kCppCompileUs = 250000;

/// A kernel and the operations that share it.
struct CompiledChoice {
  std::string name;    ///< name of its function
  std::string source;  ///< self-contained C++ text
  uint64_t pieces = 0; ///< CompiledKernelPlan::pieceCount
  double gainUs = 0;   ///< time saved over all expected runs, a cautious estimate
  double savedUs = 0;  ///< time saved in one run, as predicted
  double timeUs = 0;   ///< of one call on one thread, as predicted
  std::vector<size_t> operations;
};

/// Returns the choices in the order of their first operations. `expectedRuns` = 0 chooses none;
/// infinity chooses all that can be compiled.
std::vector<CompiledChoice> chooseCompiled(const Bundle &bundle, double expectedRuns);

/// Whether operation `index` can be compiled: it must be linear, have floating-point entries, and
/// not add up slices.
bool mayBeCompiled(const Bundle &bundle, size_t index);

} // namespace mpf
