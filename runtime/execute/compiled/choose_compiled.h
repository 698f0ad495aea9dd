// Chooses the operations of a bundle for which the CPU executor compiles C++ kernels (compiled
// kernels). Sessions and `mpfc explain` use it.
//
// Compiling takes a tenth of a second and more, so a kernel is compiled only if it is predicted to
// save more over the expected runs. The choice depends only on the bundle, the expected runs and
// the processor's instruction set. It does not depend on the cache, the number of threads or
// measured times, so a machine gives equal bits in every run.
#pragma once

#include "codegen/bundle/bundle.h"

#include <string>
#include <vector>

namespace mpf {

/// Returns the time of one compilation on one core, by the length of the text: 0.1 s for most, 17 s
/// for one of 230 KB. Right within a factor of 1.5 for 27 of 28 texts
/// (tools/mpf-bench/results/2026-11-26-orc.md).
constexpr double cppCompileUs(uint64_t textBytes) {
  constexpr double kStartUs = 45000, kByteUs = 12, kSquareUs = 2.7e-4;
  const auto bytes = static_cast<double>(textBytes);
  return kStartUs + (kByteUs + kSquareUs * bytes) * bytes;
}

/// A kernel and the operations that share it.
struct CompiledChoice {
  std::string name;     ///< name of its function
  std::string source;   ///< self-contained C++ text
  uint64_t pieces = 0;  ///< CompiledKernelPlan::pieceCount
  double compileUs = 0; ///< cppCompileUs of the text
  double gainUs = 0;    ///< cautious estimate of the time saved over all expected runs
  double savedUs = 0;   ///< predicted time saved in one run
  double timeUs = 0;    ///< predicted time of one call on one thread
  std::vector<size_t> operations;
};

/// Returns the choices in the order of their first operations. `expectedRuns` = 0 chooses none;
/// infinity chooses all that can be compiled.
std::vector<CompiledChoice> chooseCompiled(const Bundle &bundle, double expectedRuns);

/// True if operation `index` can be compiled: it must be linear, have floating-point entries, and
/// not add up slices.
bool mayBeCompiled(const Bundle &bundle, size_t index);

} // namespace mpf
