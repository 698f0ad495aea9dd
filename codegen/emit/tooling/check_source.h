// Checks emitted CUDA text with Clang: that it compiles, and that its kernels access shared and
// global memory only through access sites (site.h). Built only where the libraries of Clang 19 are
// found (target mpf_tooling); no result of mpf depends on it. Needs no CUDA headers.
#pragma once

#include "codegen/emit/tooling/check_declarations.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// Returns the errors of the compiler. If there are none, returns every raw access inside a kernel
/// or device function, and every assembly statement. A raw access is one that is not the lvalue of
/// MPF_LD or MPF_ST: a subscript, dereference or arrow on a pointer, a __shared__ variable, or a
/// pointer to such memory passed to a function that is not checked itself (atomics and the state
/// functions of the preamble are allowed). Templates are checked as instantiated. Device functions
/// in the first `trustedBytes` of the text, the preamble, are not checked: they take pointers into
/// registers. Empty: no fault was found. Thread-safe.
std::vector<SourceFinding> checkCudaSource(const std::string &source, size_t trustedBytes = 0);

struct KernelFile {
  std::vector<SourceFinding> findings;
  std::vector<KernelDeclaration> kernels; ///< in the order of the text
};

/// The same of a text that somebody else wrote. Its first `trustedBytes` are mpf's preamble, as mpf
/// wrote it (preambleBytes in preambles.h, laneHeadBytes in lane_kernel_parts.h); 0 is a finding.
/// It may declare only what check_declarations.h allows, and may have no directives by which
/// another text would run than the one that is checked (watch_directives.h). In its functions every
/// call must be of a function with a body or of one that the preamble declares; new, atomic
/// accesses, loops over ranges, variables in conditions of `while`, `goto` and static variables are
/// refused.
KernelFile checkKernelFile(const std::string &source, size_t trustedBytes);

/// preamble/clang_prelude.cuh
extern const std::string_view kClangPrelude;

} // namespace mpf
