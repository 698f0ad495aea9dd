// Prints a simplified query (--emit=simplified, --print-after). Comments with the postsolve map
// come first: the scale, and the steps that restore states and variables. Then follows the model in
// its text form.
#pragma once

#include "codegen/simplify/simplify.h"

#include <string>

namespace mpf {

std::string printSimplified(const Simplified &simplified);

} // namespace mpf
