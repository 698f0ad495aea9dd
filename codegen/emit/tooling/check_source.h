// A syntax check of emitted CUDA text with Clang, and the proof that its kernels touch shared and
// global memory only through access sites. Only where the libraries of Clang 19 are found
// (mpf_tooling); never on the way to a result. Needs no CUDA headers.
#pragma once

#include "codegen/emit/tooling/source_finding.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// Errors of the compiler, or else every raw access inside a kernel or device function: a
/// subscript, dereference or arrow on a pointer, a __shared__ variable, or a pointer to such memory
/// handed to a function that is not checked itself (atomics and the state functions of the preamble
/// are allowed), unless it is the lvalue of MPF_LD or MPF_ST; and assembly. Templates are checked
/// as instantiated. The first `trustedBytes` of the text, the preamble, are not looked into: its
/// device functions take pointers into registers. Empty: clean. Thread-safe.
std::vector<SourceFinding> checkCudaSource(const std::string &source, size_t trustedBytes = 0);

struct KernelFile {
  std::vector<SourceFinding> findings;
  std::vector<std::string> kernels; ///< in the order of the text
};

/// The same of a text that somebody else wrote. It must begin with mpf's preamble (preambleBytes in
/// preambles.h), may declare only what check_declarations.h allows, and may have no directives by
/// which another text would run than the one that is checked (watch_directives.h). In its functions
/// every call must be of a function with a body or of one that the preamble declares; new, atomic
/// accesses, loops over ranges and static variables are refused.
KernelFile checkKernelFile(const std::string &source);

/// preamble/clang_prelude.cuh
extern const std::string_view kClangPrelude;

} // namespace mpf
