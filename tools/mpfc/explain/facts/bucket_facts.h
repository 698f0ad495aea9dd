// Describes the operations of a table program as buckets, and finds the bucket tree.
#pragma once

#include "codegen/plan/program/table_program.h"
#include "tools/mpfc/explain/facts/explanation.h"

#include <vector>

namespace mpf {

/// Returns names, sizes and places of all operations; times are left at 0 (cost_facts.h).
///
/// The parent of an upward bucket in the tree is the first operation that reads its message. The
/// downward operations of a marginals program (Shafer and Shenoy 1990) belong to the bucket whose
/// operands they read. Parents of upward buckets come later in the list.
std::vector<BucketFacts> bucketFacts(const TableProgram &program);

} // namespace mpf
