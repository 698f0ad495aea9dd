// A syntax check of emitted CUDA text with Clang, and the proof that its kernels touch shared and
// global memory only through access sites. Only in builds with MPF_ENABLE_TOOLING (mpf_tooling);
// never on the way to a result. Needs no CUDA headers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mpf {

struct SourceFinding {
  unsigned line = 0, column = 0; ///< in the text given
  std::string message;
};

/// Errors of the compiler, or else every raw access inside a __global__ function: a subscript,
/// dereference or arrow on a pointer, a __shared__ variable, or a pointer to such memory handed to
/// a function other than atomics and the state functions of the preamble, unless it is the lvalue
/// of MPF_LD or MPF_ST. Empty: clean. Thread-safe.
std::vector<SourceFinding> checkCudaSource(const std::string &source);

/// preamble/clang_prelude.cuh
extern const std::string_view kClangPrelude;

} // namespace mpf
