// Names that may become part of a program text, a file name or a command line: what comes from a
// file is checked with this first.
#pragma once

#include <string_view>

namespace mpf {

/// Letters, digits, '_', at most 64, no digit first.
bool isIdentifier(std::string_view name);

} // namespace mpf
