// What a kernel file may declare behind mpf's preamble, so that nothing of it runs but its kernels
// and what these call.
#pragma once

#include "codegen/emit/tooling/source_finding.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
} // namespace clang

namespace mpf {

/// How a kernel is launched, as its declaration says.
struct KernelDeclaration {
  std::string name;
  std::vector<std::string> parameters; ///< their types, without names of types: "const double *"
  uint64_t mostThreads = 0;            ///< of a block, by its launch bounds; 0: they say nothing
};

/// Looks at every declaration behind the first `trustedBytes` of the text. Allowed are kernels
/// (extern "C"), device functions with a body and templates of such, structs without functions,
/// enumerations, names of types, and constexpr constants. Everything else is added to `findings`:
/// host functions, constructors, variables and what initialises them, namespaces, assembly.
/// Returns the kernels in the order of the text.
std::vector<KernelDeclaration> checkDeclarations(const clang::ASTContext &context,
                                                 size_t trustedBytes,
                                                 std::vector<SourceFinding> &findings);

} // namespace mpf
