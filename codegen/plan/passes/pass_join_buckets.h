// Eliminates variables jointly when the later bucket holds only the message of the earlier one.
//
// sum_a (sum_b f(a, b) g(b)) is sum_{a,b} f(a, b) g(b): the addresses are the same, and there is no
// message in between. Later the joint variables may merge into one digit, and buckets look like
// matrix products.
//
// A traceback then chooses a at the best b of the joint bucket, and b after it (TracebackStep). It
// looks at all joint states once more; from the message it would read one row. So queries that
// decode an assignment join variables only where that is a small part of the bucket.
#pragma once

#include "codegen/plan/program/table_program.h"

namespace mpf {

/// Runs after pass_eliminate.h and before pass_downward.h: every message must have one reader.
void passJoinBuckets(TableProgram &program);

} // namespace mpf
