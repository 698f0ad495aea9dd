// The check for names that become part of a program text, a file name or a command line. A name
// that was read from a file is checked before such a use.
#pragma once

#include <string_view>

namespace mpf {

/// Whether `name` has 1 to 64 letters, digits and '_' and does not start with a digit.
bool isIdentifier(std::string_view name);

} // namespace mpf
