// Prints the C++ text of the compiled kernels of a bundle's operations (--emit=compiled).
#pragma once

#include "codegen/bundle/bundle.h"

#include <string>

namespace mpf {

/// Returns the preamble and then each text once, under the names of its operations. The result is
/// complete C++ and equal on every machine. A comment lists operations that cannot be compiled.
std::string printCompiledTexts(const Bundle &bundle);

} // namespace mpf
