// EVIDENCE RESTRICTION: an observed variable keeps one state. Pre: the states are final (no session
// changes them). Post: no variable is observed, except those in the scope of an `input` factor.
#pragma once

#include "codegen/simplify/problem/problem.h"

namespace mpf {

bool passEvidence(Problem &problem);

} // namespace mpf
