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
/// or device function, and every assembly statement. The result is empty if no fault was found.
///
/// A raw access is an access that is not the lvalue of MPF_LD or MPF_ST: a subscript, dereference
/// or arrow on a pointer, or a __shared__ variable. A pointer to such memory that is passed to an
/// unchecked function counts too, except for atomics and the state functions of the preamble.
///
/// Templates are checked as instantiated. Device functions in the first `trustedBytes` of the text,
/// the preamble, are not checked: they take pointers into registers. Thread-safe.
std::vector<SourceFinding> checkCudaSource(const std::string &source, size_t trustedBytes = 0);

struct KernelFile {
  std::vector<SourceFinding> findings;
  std::vector<KernelDeclaration> kernels; ///< in the order of the text
};

/// Checks a text that a user edited as checkCudaSource does, and more strictly. Its first
/// `trustedBytes` must be mpf's unedited preamble (preambleBytes in preambles.h, laneHeadBytes in
/// lane_kernel_parts.h); 0 is a finding.
///
/// The text may declare only what check_declarations.h allows. It may have no directives that make
/// the text that runs differ from the checked text (watch_directives.h).
///
/// Every call in its functions must be of a function with a body, or of one that the preamble
/// declares. Refused are also: new, atomic accesses, loops over ranges, variables in conditions of
/// `while`, `goto` and static variables.
KernelFile checkKernelFile(const std::string &source, size_t trustedBytes);

/// preamble/clang_prelude.cuh
extern const std::string_view kClangPrelude;

} // namespace mpf
