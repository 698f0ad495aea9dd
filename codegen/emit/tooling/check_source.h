// A syntax check of emitted CUDA text with Clang, and the proof that its kernels touch shared and
// global memory only through access sites. Only in builds with MPF_ENABLE_TOOLING (mpf_tooling);
// never on the way to a result. Needs no CUDA headers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

struct SourceFinding {
  unsigned line = 0, column = 0; ///< in the text given
  std::string message;
};

/// Errors of the compiler, or else every raw access inside a kernel or device function: a
/// subscript, dereference or arrow on a pointer, a __shared__ variable, or a pointer to such memory
/// handed to a function that is not checked itself (atomics and the state functions of the preamble
/// are allowed), unless it is the lvalue of MPF_LD or MPF_ST. Templates are checked as
/// instantiated. Device functions in the first `trustedBytes` of the text, the preamble, are not
/// looked into: they take pointers into registers. Empty: clean. Thread-safe.
std::vector<SourceFinding> checkCudaSource(const std::string &source, size_t trustedBytes = 0);

/// preamble/clang_prelude.cuh
extern const std::string_view kClangPrelude;

} // namespace mpf
