// Emitted text laid out for people by Clang's formatting library. Only with MPF_ENABLE_TOOLING;
// what is compiled and cached is always the unformatted text.
#pragma once

#include <string>

namespace mpf {

/// CUDA or C++ text in the project's style (LLVM, 100 columns). Throws Error(Internal) when the
/// library refuses it.
std::string formatSource(const std::string &source);

} // namespace mpf
