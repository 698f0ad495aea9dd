#include "runtime/execute/gpu/runs/run_setup.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <utility>

namespace mpf {

RunSetup::RunSetup(const ReplicatedBundle &program, GpuStates &states, PlanCache &plans,
                   InputUploads &inputs, ResultDownloads &results, GpuLauncher &launcher)
    : program_(program), states_(states), plans_(plans), inputs_(inputs), results_(results),
      launcher_(launcher), operations_(program) {}

void RunSetup::setOperations(const std::vector<char> &runs, std::vector<uint32_t> wanted) {
  operations_.use(runs);
  wanted_ = std::move(wanted);
  std::sort(wanted_.begin(), wanted_.end());
}

GpuPlan &RunSetup::prepare(const GpuPlans::Kind &kind, bool mayWaitForInputs) {
  MPF_CHECK(states_.initial().size() == program_.bundle.buffers.size(),
            "{}: run before the inputs are bound", program_.bundle.name);
  states_.sendGiven();
  GpuPlan &plan =
      plans_.use(kind.allReplicas ? operations_.runs() : operations_.led(), kind, wanted_);
  inputs_.reserve(plan.transfers);
  if (!results_.holds(plan)) {
    plans_.forgetGraphs(); // they download to the memory that goes now
    results_.reserve(plan);
  }
  inputs_.begin(plan.transfers, mayWaitForInputs);
  results_.begin(kind.bringsDown);
  launcher_.begin();
  return plan;
}

} // namespace mpf
