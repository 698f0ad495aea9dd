// Prints a simplified query (--emit=simplified, --print-after): the model in its own text form,
// after comments with the postsolve map: the scale, and the steps that give states and variables
// back.
#pragma once

#include "codegen/simplify/simplify.h"

#include <string>

namespace mpf {

std::string printSimplified(const Simplified &simplified);

} // namespace mpf
