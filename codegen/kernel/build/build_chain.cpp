#include "codegen/kernel/build/build_chain.h"

#include "codegen/kernel/build/assemble_chain.h"
#include "codegen/kernel/build/name_kernel.h"
#include "codegen/kernel/cost/chain_cost.h"
#include "codegen/kernel/plan/chain_layout.h"
#include "codegen/kernel/plan/chain_shape.h"
#include "codegen/kernel/text/print_chain.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <tuple>

namespace mpf {

namespace {

constexpr uint32_t kChainTiles[] = {8, 16, 32, 64};
constexpr uint32_t kLines[] = {32, 64, 128};
constexpr uint32_t kThreads[] = {64, 128, 256};
constexpr size_t kChainFinalists = 4;  ///< candidates whose paddings are searched
constexpr size_t kChainCandidates = 2; ///< further such candidates for each plan beside the best

struct RankedChain {
  double timeUs = 0;
  size_t number = 0; ///< decides ties: the earlier candidate comes first
  ChainPlan plan;
};

/// Returns all candidates that fit, the best first. Images are assumed to be free of conflicts.
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
          modelCost(*plan, options.target, false);
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

namespace {
PlanOffers<ChainPlan> offersOf(const ChainForm &form, const ChainOptions &options,
                               const PlanWish &wish) {
  const std::string fault = findFault(form);
  MPF_CHECK(fault.empty(), "chain: {}", fault);
  std::vector<RankedChain> ranked = rankCandidates(form, options);
  PlanOffers<ChainPlan> offers;
  size_t extraFinalists = wish.most > 1 ? kChainCandidates * wish.most : 0;
  for (size_t i = 0; i < ranked.size(); ++i) {
    const bool mayBeBest = i < kChainFinalists || offers.plans.empty();
    if (!mayBeBest && extraFinalists-- == 0)
      break;
    ChainPlan &plan = ranked[i].plan;
    padImages(plan, options.target);
    setChainLaunch(plan, options.target);
    if (!fitsTarget(plan, options.target))
      continue;
    modelCost(plan, options.target, true);
    offers.plans.push_back(std::move(plan));
    if (mayBeBest)
      offers.contenders = offers.plans.size();
  }
  return offers;
}
} // namespace

std::optional<ChainPlan> buildChain(const ChainForm &form, const ChainOptions &options) {
  PlanOffers<ChainPlan> offers = offersOf(form, options, PlanWish());
  if (offers.plans.empty())
    return std::nullopt;
  MPF_CHECK(offers.contenders > 0 && offers.contenders <= offers.plans.size(),
            "{} of {} plans may be the best", offers.contenders, offers.plans.size());
  ChainPlan &best = *std::min_element(
      offers.plans.begin(), offers.plans.begin() + static_cast<ptrdiff_t>(offers.contenders),
      [](const ChainPlan &a, const ChainPlan &b) { return a.predictedUs < b.predictedUs; });
  nameKernel(best);
  return std::move(best);
}

PlanOffers<ChainPlan> chainPlans(const ChainForm &form, const KernelOptions &options,
                                 const PlanWish &wish) {
  return isIntegerType(options.type) ? PlanOffers<ChainPlan>()
                                     : offersOf(form, chainOptionsFor(options), wish);
}

void nameKernel(ChainPlan &plan) {
  nameAfterText(plan, ChainPlan::family, [](const ChainPlan &shape) { return printChain(shape); });
}

} // namespace mpf
