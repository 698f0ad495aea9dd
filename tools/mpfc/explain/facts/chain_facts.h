// The chains that a plan marks: their savings, and whether they become kernels.
#pragma once

#include "codegen/plan/program/table_program.h"
#include "tools/mpfc/explain/facts/cost_options.h"
#include "tools/mpfc/explain/facts/explanation.h"

#include <vector>

namespace mpf {

/// Returns one element for each chain of `program`. `suits`: as for chooseChain (chain_kernels.h).
/// `buckets` are the facts of its operations, each with the GPU time of its separate kernel.
std::vector<ChainFacts> chainFacts(const TableProgram &program, const CostOptions &options,
                                   const std::vector<bool> &suits,
                                   const std::vector<BucketFacts> &buckets);

} // namespace mpf
