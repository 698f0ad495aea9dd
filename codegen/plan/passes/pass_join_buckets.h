// Eliminates variables jointly when the later bucket holds only the earlier one's message.
//
// sum_a (sum_b f(a, b) g(b)) is sum_{a,b} f(a, b) g(b): same addresses, no message in between; the
// joint variables merge into one digit later and make buckets look like matrix products.
// Not for queries that decode: the traceback needs each variable's own message.
#pragma once

#include "codegen/plan/program/table_program.h"

namespace mpf {

void passJoinBuckets(TableProgram &program);

} // namespace mpf
