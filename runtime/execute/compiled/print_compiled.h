// The C++ text that a bundle's operations would get on the CPU, for people (--emit=compiled).
#pragma once

#include "codegen/bundle/bundle.h"

#include <string>

namespace mpf {

/// The preamble once, then each text once, under the names of its operations. It compiles by
/// itself. The same on every machine. Operations that cannot have one are named in a comment.
std::string printCompiledTexts(const Bundle &bundle);

} // namespace mpf
