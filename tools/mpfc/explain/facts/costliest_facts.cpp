#include "tools/mpfc/explain/facts/costliest_facts.h"

#include "codegen/kernel/build_kernel.h"
#include "codegen/kernel/form/build_digit_form.h"
#include "codegen/kernel/print_kernel.h"
#include "codegen/specialise/kernel_choice.h"
#include "codegen/specialise/planned_kernels.h"
#include "tools/mpfc/explain/facts/cost_facts.h"

#include <algorithm>
#include <numeric>

namespace mpf {

namespace {

constexpr double kMostOfRun = 0.98;

std::vector<uint32_t> byCost(const std::vector<BucketFacts> &buckets) {
  std::vector<uint32_t> order(buckets.size());
  std::iota(order.begin(), order.end(), uint32_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return buckets[a].costUs > buckets[b].costUs; });
  return order;
}

} // namespace

void addCostliest(const TableProgram &program, const CostOptions &options,
                  QueryExplanation &explanation) {
  const std::vector<uint32_t> order = byCost(explanation.buckets);
  const double totalUs = explanation.runUs();
  double sumUs = 0;
  for (const uint32_t i : order) {
    sumUs += explanation.buckets[i].costUs;
    ++explanation.bucketsOfMost;
    if (sumUs >= kMostOfRun * totalUs)
      break;
  }
  const KernelOptions &kernel = options.kernel;
  std::vector<DigitForm> forms;
  std::vector<size_t> ranks; ///< of the forms
  for (size_t rank = 0; rank < std::min(order.size(), kCostliestBuckets); ++rank) {
    const BucketFacts &bucket = explanation.buckets[order[rank]];
    if (bucket.runs == 0)
      break; // shared messages cost nothing
    DearBucket &dear = explanation.costliest.emplace_back();
    dear.bucket = order[rank];
    dear.share = totalUs > 0 ? bucket.costUs / totalUs : 0;
    if (bucket.addresses > kCountableAddresses)
      continue;
    DigitForm form = buildDigitForm(program, OpId(order[rank]));
    if (!servesType(form, kernel.type))
      continue; // it runs on the table-driven kernels
    dear.tableDrivenUs = tableDrivenUs(form, kernel.type, kernel.target);
    forms.push_back(std::move(form));
    ranks.push_back(rank);
  }
  std::vector<KernelPlan> plans = planKernels(forms, kernel);
  for (size_t i = 0; i < plans.size(); ++i) {
    DearBucket &dear = explanation.costliest[ranks[i]];
    dear.ownUs = explanation.buckets[dear.bucket].runs * ownKernelUs(plans[i].header());
    dear.kernelText = printKernel(plans[i], &program);
    dear.kernel = std::move(plans[i]);
  }
}

} // namespace mpf
