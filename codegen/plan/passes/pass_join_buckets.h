// Eliminates variables jointly when the later bucket holds only the message of the earlier one, or
// when the later bucket's variables have no posteriors.
//
// sum_a (sum_b f(a, b) g(b)) is sum_{a,b} f(a, b) g(b): the addresses are the same, and there is no
// message in between. Later the joint variables may merge into one digit, and buckets look like
// matrix products.
//
// A traceback then chooses a at the best b of the joint bucket, and b after it (TracebackStep). It
// looks at all joint states once more; from the message it would read one row. So queries that
// decode an assignment join variables only where that is a small part of the bucket.
//
// Programs of marginals compute sum_a g(a) (sum_b f(a, b, c)) as sum_{a,b} g(a) f(a, b, c), if a is
// unasked (ProgramVariable). The posterior of a would need the message in between, and that of b
// needs the bucket of b in any case. The links of a noisy-max (dsl/model/noisy_max.h) are such
// buckets. The buckets are joined only if the addresses are those of b's bucket alone, and few.
#pragma once

#include "codegen/plan/program/table_program.h"

namespace mpf {

/// Runs after pass_eliminate.h and before pass_downward.h: every message must have one reader.
void passJoinBuckets(TableProgram &program);

} // namespace mpf
