#include "tools/mpfc/explain/facts/chain_facts.h"

#include "codegen/plan/program/slice_levels.h"
#include "codegen/specialise/chain_kernels.h"
#include "codegen/specialise/kernel_choice.h"

namespace mpf {

std::vector<ChainFacts> chainFacts(const TableProgram &program, const CostOptions &options,
                                   const std::vector<bool> &suits,
                                   const std::vector<BucketFacts> &buckets) {
  std::vector<ChainFacts> list;
  for (const ProgramChain &chain : program.chains) {
    ChainFacts facts;
    facts.first = chain.first.value;
    facts.count = chain.count;
    facts.messageEntries =
        static_cast<double>(sliceElems(program, program.table(chain.message).scope));
    for (const OpId id : chain.operations())
      facts.aloneUs += buckets[id.index()].gpuUs;
    const double runs = buckets[chain.first.index()].runs;
    const auto plan = chooseChain(program, chain, suits, options.kernel, facts.aloneUs / runs,
                                  {options.expectedRuns, options.planningRuns});
    if (plan) {
      facts.chainUs = runs * ownKernelUs(plan->header());
      facts.kernel = plan->header().name;
    }
    list.push_back(std::move(facts));
  }
  return list;
}

} // namespace mpf
