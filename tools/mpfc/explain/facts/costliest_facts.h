// Finds the costliest buckets, and plans a separate kernel for each of them.
#pragma once

#include "codegen/plan/program/table_program.h"
#include "tools/mpfc/explain/facts/cost_options.h"
#include "tools/mpfc/explain/facts/explanation.h"

#include <cstddef>

namespace mpf {

inline constexpr size_t kCostliestBuckets = 10;

/// Sets `costliest` and `bucketsOfMost`, by the costs of buckets on their devices. Call it after
/// they were placed (placement_facts.h).
void addCostliest(const TableProgram &program, const CostOptions &options,
                  QueryExplanation &explanation);

} // namespace mpf
