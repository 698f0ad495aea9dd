// Finds the costliest buckets, and plans the kernel that each of them could have of its own.
#pragma once

#include "codegen/plan/program/table_program.h"
#include "tools/mpfc/explain/facts/cost_options.h"
#include "tools/mpfc/explain/facts/explanation.h"

#include <cstddef>

namespace mpf {

inline constexpr size_t kCostliestBuckets = 10;

/// Sets `costliest` and `bucketsOfMost`, by the costs on the devices that the buckets have by now:
/// to be called after they were placed (placement_facts.h).
void addCostliest(const TableProgram &program, const CostOptions &options,
                  QueryExplanation &explanation);

} // namespace mpf
