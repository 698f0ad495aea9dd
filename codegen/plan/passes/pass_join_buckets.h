// Eliminates variables jointly when the later bucket holds only the message of the earlier one.
//
// sum_a (sum_b f(a, b) g(b)) is sum_{a,b} f(a, b) g(b): the addresses are the same, and there is no
// message in between. Later the joint variables may merge into one digit, and buckets look like
// matrix products. Programs of queries that decode an assignment stay as they are: the traceback
// needs the message of each variable.
#pragma once

#include "codegen/plan/program/table_program.h"

namespace mpf {

/// Runs after pass_eliminate.h and before pass_downward.h: every message must have one reader.
void passJoinBuckets(TableProgram &program);

} // namespace mpf
