// A simplified query as text (--emit=simplified, --print-after): the model in its own text form,
// after comments that say what is multiplied in and how states and variables come back.
#pragma once

#include "codegen/simplify/simplify.h"

#include <string>

namespace mpf {

std::string printSimplified(const Simplified &simplified);

} // namespace mpf
