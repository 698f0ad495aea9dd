// Chain form -> chain plan: what belongs to a page, how its steps are cut into phases, how images
// lie in shared memory. Candidates differ in the tile of a thread, the length of lines and the
// threads of a block; the one of the least modelled time is taken. Same input, same plan.
#pragma once

#include "codegen/kernel/build/build_kernel.h"
#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/chain_plan.h"

#include <optional>
#include <vector>

namespace mpf {

struct ChainOptions {
  Target target;
  ElementType type = ElementType::F64;
  ValueForm valueForm = ValueForm::Linear;
  // Overrides for measurements: only candidates with these.
  std::optional<uint32_t> tileElems; ///< most entries of a thread's tile
  std::optional<uint32_t> lineBytes; ///< least contiguous bytes of reads and writes
  std::optional<uint32_t> threads;   ///< wished threads of a block
  std::optional<uint32_t> pagesPerBlock;
};

/// What kernels and chains have in common; no overrides.
ChainOptions chainOptionsFor(const KernelOptions &kernel);

/// The best plan; none when no page of the run fits the target (a step of very many values, a
/// page beyond shared memory).
std::optional<ChainPlan> buildChain(const ChainForm &form, const ChainOptions &options);

/// Up to `most` plans that differ: buildChain's, then others in the order of
/// diversify_candidates.h; empty where that gives none. For a choice by measuring.
std::vector<ChainPlan> buildChains(const ChainForm &form, const ChainOptions &options, size_t most);

/// Its predicted time without the search for paddings, which is what takes time: for choosing where
/// to cut a run. Bank conflicts are taken as avoided.
std::optional<double> predictChain(const ChainForm &form, const ChainOptions &options);

/// The name: "chain" and a hash of everything but tables, variables and modelled times.
void nameChain(ChainPlan &plan);

} // namespace mpf
