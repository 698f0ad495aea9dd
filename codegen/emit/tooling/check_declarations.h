// Checks the declarations of a kernel file behind mpf's preamble. The file may contribute no code
// that runs except its kernels and the functions that they call.
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

/// The properties of a kernel's declaration that its launches depend on.
struct KernelDeclaration {
  std::string name;
  std::vector<std::string> parameters; ///< types with aliases resolved: "const double *"
  uint64_t mostThreads = 0; ///< threads of a block by its launch bounds; 0: it has no bounds
};

/// Looks at every declaration behind the first `trustedBytes` of the text. Allowed are kernels
/// (extern "C"), device functions with a body and templates of such, structs without functions,
/// enumerations, names of types, and constexpr constants. Everything else is added to `findings`:
/// host functions, constructors, variables and their initialisers, namespaces, assembly.
/// Returns the kernels in the order of the text.
std::vector<KernelDeclaration> checkDeclarations(const clang::ASTContext &context,
                                                 size_t trustedBytes,
                                                 std::vector<SourceFinding> &findings);

} // namespace mpf
