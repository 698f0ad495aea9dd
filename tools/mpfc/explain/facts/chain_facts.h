// The chains that a plan marks: what they save, and whether they become kernels.
#pragma once

#include "codegen/plan/program/table_program.h"
#include "tools/mpfc/explain/facts/cost_options.h"
#include "tools/mpfc/explain/facts/explanation.h"

#include <vector>

namespace mpf {

/// One per chain of `program`, whose operations are `buckets` with their GPU times one by one.
std::vector<ChainFacts> chainFacts(const TableProgram &program, const CostOptions &options,
                                   const std::vector<BucketFacts> &buckets);

} // namespace mpf
