#include "runtime/engine/plan_case.h"

#include "codegen/lanes/lane_cost.h"
#include "runtime/choose/jit_memory.h"

#include <utility>

namespace mpf {

namespace {

/// Returns the policy of a query. It throws every error. It drops warnings, because they are about
/// the form of single results.
QueryPolicy policyOf(const CaseSettings &settings, const Model &model, const Query &query,
                     CompileSettings compile) {
  RunFacts facts = runFacts(model, {&query, 1}, compile.threads);
  facts.listItems = facts.items;
  facts.streamedBytes = settings.streamedBytes;
  facts.streamThreads = settings.streamThreads;
  completeForMachine(compile, facts);
  QueryPolicy policy;
  policy.settings = std::move(compile);
  policy.hooks = settings.hooks;
  policy.stop = settings.stop;
  return policy;
}

} // namespace

Bundle compileCase(const CaseSettings &settings, const Model &model, const Query &query,
                   CompileSettings compile) {
  QueryPolicy policy = policyOf(settings, model, query, std::move(compile));
  chooseKernels(policy.settings, settings.autotune);
  return compileOne(model, query, std::move(policy));
}

LanePlan planCaseLanes(const CaseSettings &settings, const Model &model, const Query &query,
                       const CaseSchema &schema, CompileSettings compile) {
  if (settings.lanes && settings.lanes->refusal)
    std::rethrow_exception(settings.lanes->refusal);
  if (const DeviceKind device = laneDeviceOf(compile); givesLanes(settings, device)) {
    LanePlan plan = *settings.lanes->plan;
    plan.laneCost = laneCost(plan.program, laneCostsOf(device, plan.program.type));
    return plan;
  }
  return planLanes(model, query, schema, policyOf(settings, model, query, std::move(compile)));
}

} // namespace mpf
