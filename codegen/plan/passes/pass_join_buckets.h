// Eliminates variables jointly when the later bucket holds only the message of the earlier one.
//
// sum_a (sum_b f(a, b) g(b)) is sum_{a,b} f(a, b) g(b): the addresses are the same, and there is no
// message in between. Later the joint variables may merge into one digit, and buckets look like
// matrix products. A traceback then chooses a at the best b of the joint bucket, and b behind it
// (TracebackStep): it looks at all joint states once more, where the message had a row of a's. So
// variables of queries that decode an assignment are joined where that is a small part of the
// bucket.
#pragma once

#include "codegen/plan/program/table_program.h"

namespace mpf {

/// Runs after pass_eliminate.h and before pass_downward.h: every message must have one reader.
void passJoinBuckets(TableProgram &program);

} // namespace mpf
