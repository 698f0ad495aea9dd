#include "codegen/kernel/build/build_chain.h"

#include "codegen/kernel/build/assemble_chain.h"
#include "codegen/kernel/build/build_kernel.h"
#include "codegen/kernel/build/diversify_candidates.h"
#include "codegen/kernel/cost/chain_cost.h"
#include "codegen/kernel/plan/chain_layout.h"
#include "codegen/kernel/plan/chain_shape.h"
#include "codegen/kernel/text/print_chain.h"
#include "dsl/support/check.h"
#include "dsl/support/hash.h"

#include <algorithm>

namespace mpf {

namespace {

constexpr uint32_t kChainTiles[] = {8, 16, 32, 64};
constexpr uint32_t kLines[] = {32, 64, 128};
constexpr uint32_t kThreads[] = {64, 128, 256};
constexpr size_t kChainFinalists = 4;  ///< whose paddings are searched,
constexpr size_t kChainCandidates = 2; ///< and so many more for each plan beside the best

struct RankedChain {
  double timeUs = 0;
  size_t number = 0; ///< ties: the earlier candidate
  ChainPlan plan;
};

/// Every candidate that fits, with images taken as free of conflicts; the best first.
std::vector<RankedChain> rankCandidates(const ChainForm &form, const ChainOptions &asked) {
  ChainOptions options = asked;
  options.valueForm = valueFormOf(form.semiring, asked.valueForm);
  std::vector<RankedChain> ranked;
  size_t number = 0;
  for (const uint32_t tile : kChainTiles)
    for (const uint32_t line : kLines)
      for (const uint32_t threads : kThreads) {
        ++number;
        if ((options.tileElems && tile != *options.tileElems) ||
            (options.lineBytes && line != *options.lineBytes) ||
            (options.threads && threads != *options.threads))
          continue;
        if (auto plan = assembleChain(form, {tile, line, threads}, options)) {
          modelChainCost(*plan, options.target, false);
          ranked.push_back({plan->predictedUs, number, std::move(*plan)});
        }
      }
  std::sort(ranked.begin(), ranked.end(), [](const RankedChain &a, const RankedChain &b) {
    return std::tie(a.timeUs, a.number) < std::tie(b.timeUs, b.number);
  });
  return ranked;
}

} // namespace

ChainOptions chainOptionsFor(const KernelOptions &kernel) {
  return {.target = kernel.target, .type = kernel.type, .valueForm = kernel.valueForm};
}

std::optional<double> predictChain(const ChainForm &form, const ChainOptions &options) {
  const std::vector<RankedChain> ranked = rankCandidates(form, options);
  return ranked.empty() ? std::nullopt : std::optional(ranked.front().timeUs);
}

std::optional<ChainPlan> buildChain(const ChainForm &form, const ChainOptions &options) {
  std::vector<ChainPlan> plans = buildChains(form, options, 1);
  return plans.empty() ? std::nullopt : std::optional(std::move(plans.front()));
}

std::vector<ChainPlan> buildChains(const ChainForm &form, const ChainOptions &options,
                                   size_t most) {
  const std::string fault = findFault(form);
  MPF_CHECK(fault.empty(), "chain: {}", fault);
  std::vector<RankedChain> ranked = rankCandidates(form, options);
  std::vector<ChainPlan> plans;
  size_t best = 0; // the same for any `most`: those beside the finalists cannot be it
  size_t extraFinalists = most > 1 ? kChainCandidates * most : 0;
  for (size_t i = 0; i < ranked.size(); ++i) {
    const bool mayBeBest = i < kChainFinalists || plans.empty();
    if (!mayBeBest && extraFinalists-- == 0)
      break;
    ChainPlan &plan = ranked[i].plan;
    padImages(plan, options.target);
    setChainLaunch(plan, options.target);
    if (!fitsTarget(plan, options.target))
      continue;
    modelChainCost(plan, options.target, true);
    if (mayBeBest && !plans.empty() && plan.predictedUs < plans[best].predictedUs)
      best = plans.size();
    plans.push_back(std::move(plan));
  }
  if (plans.empty())
    return plans;
  const auto kindOf = [](const ChainPlan &plan) { return plan.launch.blockThreads; };
  return diversifyCandidates(std::move(plans), best, most, kindOf, nameChain);
}

void nameChain(ChainPlan &plan) {
  ChainPlan shape = plan;
  shape.name.clear();
  shape.costTerms.clear();
  shape.predictedUs = shape.floorUs = 0;
  for (Digit &digit : shape.form.digits)
    digit.variables.clear();
  shape.form.message.table = shape.form.result.table = TableId(0);
  for (DigitAccess &factor : shape.form.factors)
    factor.table = TableId(0);
  const Hash128 hash = HashBuilder().add(printChain(shape)).finish();
  plan.name = fmt::format("chain_{}", hash.hex().substr(0, 16));
}

} // namespace mpf
