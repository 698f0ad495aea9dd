// Compiles C++ texts with the system's compiler, or finds them in the cache on disk, and loads
// them. A text that cannot be compiled or loaded has no library: the built-in kernels do its work.
#pragma once

#include "runtime/compile/cpp_compiler.h"
#include "runtime/compile/dynamic_library.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mpf {

struct CompiledKernelOptions {
  /// The number of runs (for lanes: of cases) over which compiling must pay. 0: compile none;
  /// infinity: compile all that can be compiled.
  double expectedRuns = 0;
  bool forbidCompiling = false; ///< a kernel that is not in the cache is Error(Device)
  unsigned threads = 0;         ///< concurrent compilations; 0: number of processors
  std::string cacheFolder;      ///< empty: DiskCache::defaultFolder()
};

struct TextToLoad {
  std::string name;   ///< for messages and the cache
  std::string source; ///< self-contained
  std::string symbol; ///< a symbol that its library has
};

struct LoadedTexts {
  std::vector<std::optional<DynamicLibrary>> libraries; ///< by text
  size_t failed = 0;                                    ///< texts without a library
  std::string note; ///< one line: why the first of them has none
};

/// Compiles and loads texts. `tableBytes`: memory that the caller will use later. Nothing is
/// compiled if less memory is left beside it than a compiler needs. Throws Error(Device) only if
/// forbidCompiling is set.
LoadedTexts loadTexts(std::span<const TextToLoad> texts, const CompiledKernelOptions &options,
                      uint64_t tableBytes, CppEffort effort = CppEffort::Loops);

/// Returns a part of a device's name for people: ", 2 compiled, 1 not compiled: there is no C++
/// compiler". `note`: the reason of the failures. Empty if nothing was to be compiled.
std::string compiledCountText(size_t compiled, size_t failed, const std::string &note);

} // namespace mpf
