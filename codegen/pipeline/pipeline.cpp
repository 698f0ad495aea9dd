#include "codegen/pipeline/pipeline.h"

#include "codegen/bundle/lanes/verify_lane_program.h"
#include "codegen/bundle/lanes/wide_number.h"
#include "codegen/bundle/verify_bundle.h"
#include "codegen/lanes/lane_budget.h"
#include "codegen/lanes/one_case_plan.h"
#include "codegen/lanes/simplify_observable.h"
#include "codegen/pipeline/simplify_budget.h"
#include "codegen/plan/build_program.h"
#include "codegen/plan/initial/initial_program.h"
#include "codegen/plan/passes/run_pass.h"
#include "codegen/specialise/build_bundle.h"
#include "codegen/specialise/device_costs.h"
#include "codegen/specialise/specialise.h"
#include "dsl/model/noisy_table.h"
#include "dsl/model/query_model.h"
#include "dsl/source/text_error.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace mpf {

PlanHooks Pipeline::planHooks() const {
  PlanHooks hooks;
  hooks.offPasses = options_.offPlanPasses;
  hooks.compareText = options_.hooks.compareText;
  hooks.after = options_.hooks.afterPlanPass;
  hooks.verify = static_cast<bool>(hooks.after);
  hooks.afterRound = options_.hooks.afterRound;
  hooks.searched = options_.hooks.searched;
  hooks.ordered = options_.hooks.ordered;
  return hooks;
}

std::unique_ptr<DeviceCosts> Pipeline::deviceCosts() const {
  if (options_.plan.deviceCosts != nullptr || !options_.costs)
    return nullptr;
  return makeDeviceCosts(*options_.costs, options_.plan.type, options_.forcedLog, planned_);
}

Simplified Pipeline::simplify(const Model &model, const Query &query) const {
  if (hasOwnModel(query))
    return simplify(modelOf(model, query), queryInOwnModel(query));
  if (const std::optional<MultipliedOut> whole = multipliedOut(model, query))
    return simplify(whole->model, whole->query);
  const SimplifyHook &after = options_.hooks.afterSimplifyPass;
  SimplifyOptions options = options_.simplify;
  options.pays = simplifyBudget(options_.plan.runCosts);
  return options_.runSimplifyPasses.empty()
             ? mpf::simplify(model, query, options, after)
             : simplifyByPasses(model, query, options_.simplify, options_.runSimplifyPasses, after);
}

TableProgram Pipeline::initial(const Simplified &simple, Diagnostics &diagnostics) const {
  return initialProgram(simple.model, simple.query, diagnostics);
}

TableProgram Pipeline::plan(const Simplified &simple, Diagnostics &diagnostics) const {
  if (options_.hooks.planningBegins)
    options_.hooks.planningBegins({simple.query.name, options_.plan.type});
  PlanOptions plan = options_.plan;
  plan.finalTables = simple.answer.has_value();
  const std::unique_ptr<DeviceCosts> costs = deviceCosts(); // outlives the planning, no more
  if (costs)
    plan.deviceCosts = costs.get();
  if (options_.chooser)
    plan.programUs = [this](const Model &model, const TableProgram &program,
                            PredictedKernels kernels) {
      return options_.chooser->runUs(bundle(model, program, std::nullopt), kernels);
    };
  return buildProgram(simple.model, simple.query, plan, diagnostics, planHooks());
}

TableProgram Pipeline::runPlanPasses(TableProgram program,
                                     const std::vector<std::string> &names) const {
  if (options_.hooks.planningBegins)
    options_.hooks.planningBegins({program.name, options_.plan.type});
  PlanOptions plan = options_.plan;
  const std::unique_ptr<DeviceCosts> costs = deviceCosts();
  if (costs)
    plan.deviceCosts = costs.get();
  return runPassesAlone(std::move(program), names, plan, planHooks());
}

Bundle Pipeline::bundle(const Model &model, const TableProgram &program,
                        std::optional<PostsolveMap> answer) const {
  requireForm(options_.plan.type, options_.forcedLog);
  const BundleOptions form{options_.plan.type, options_.forcedLog, options_.plan.slicesAtOnce,
                           options_.plan.maxMemoryBytes};
  return buildBundle(model, program, form, std::move(answer));
}

bool Pipeline::specialise(Bundle &bundle, const TableProgram &program) const {
  std::optional<SpecialiseOptions> gpu = options_.gpu;
  if (!gpu && options_.chooser)
    gpu = options_.chooser->gpuFor(bundle);
  if (gpu)
    addGpuKernels(bundle, program, *gpu, planned_.get());
  return gpu.has_value();
}

Bundle Pipeline::compileProgram(const Model &model, const TableProgram &program,
                                std::optional<PostsolveMap> answer, ProgramOrigin origin) const {
  try {
    Bundle made = bundle(model, program, std::move(answer));
    if (specialise(made, program)) // else it is as buildBundle verified it
      verifyBundle(made);
    return made;
  } catch (const Error &error) {
    if (origin == ProgramOrigin::Text || error.kind() != ErrorKind::BadInput)
      throw;
    fail(ErrorKind::Internal, "query {}: {}", program.name, error.what());
  }
}

Bundle Pipeline::compile(const Model &model, const Query &query, Diagnostics &diagnostics) const {
  Simplified simple = simplify(model, query);
  const TableProgram program = plan(simple, diagnostics);
  return compileProgram(simple.model, program, std::move(simple.answer));
}

LanePlan Pipeline::planLanes(const Model &model, const Query &query, const CaseSchema &schema,
                             Diagnostics &diagnostics) const {
  for (const Observation &seen : query.given)
    if (std::ranges::any_of(schema.observed,
                            [&](const CaseVariable &set) { return set.variable == seen.variable; }))
      failAt(ErrorKind::BadInput, query.place,
             "query {}: '{}' is a condition of it, and the cases observe it", query.name,
             model.variable(seen.variable).name);
  if (hasOwnModel(query))
    return planLanes(modelOf(model, query), queryInOwnModel(query), schema, diagnostics);
  if (const std::optional<MultipliedOut> whole = multipliedOut(model, query))
    return planLanes(whole->model, whole->query, schema, diagnostics);
  LanePlan plan = cheapestLanes(model, query, schema, diagnostics);
  // The program lists the declared variables and inputs, even those that simplification removed.
  setVariables(plan.program, model, model.evidence.observations());
  setInputs(plan.program, model);
  try {
    verifyLanes(plan.program);
  } catch (const Error &error) {
    fail(ErrorKind::Internal, "query {}: {}", query.name, error.what());
  }
  return plan;
}

namespace {

using Clock = std::chrono::steady_clock;

/// Returns the end of the search for an order, so that there is time left to divide it into lanes.
Clock::time_point halfWayTo(Clock::time_point deadline) {
  const Clock::time_point now = Clock::now();
  return deadline == Clock::time_point::max() || deadline < now ? deadline
                                                                : now + (deadline - now) / 2;
}

/// Returns the limits of the division into lanes: seconds limit only the search.
SearchLimits triesOf(SearchLimits limits) {
  limits.seconds.reset();
  return limits;
}

} // namespace

LanePlan Pipeline::cheapestLanes(const Model &model, const Query &query, const CaseSchema &schema,
                                 Diagnostics &diagnostics) const {
  if (options_.hooks.planningBegins)
    options_.hooks.planningBegins({query.name, options_.plan.type});
  const ObservableModel asked = observableModel(model, query, schema);
  const std::optional<ObservableModel> smaller =
      simplifyObservable(asked, options_.simplify, options_.hooks.afterSimplifyPass);
  const ObservableModel &observable = smaller ? *smaller : asked;
  PlanOptions plan = options_.plan;
  plan.runCosts = runCostsOfLanes(plan.runCosts, options_.laneDevice);
  LaneOptions lanes = laneOptionsFor(options_.laneDevice, options_.plan.type);
  // Constants are kept as wide numbers: a table takes at most a quarter of the memory.
  lanes.constantElems = std::min<uint64_t>(lanes.constantElems,
                                           options_.plan.maxMemoryBytes / (4 * sizeof(WideNumber)));
  ListPrediction predictList;
  if (options_.laneLoad)
    predictList = [this](const LanePlan &tried) { return listUs(tried, *options_.laneLoad); };
  LaneBudget budget(predictList, triesOf(options_.plan.search));
  plan.search.deadline = halfWayTo(plan.search.deadline);
  const auto planned = [&](const PlanOptions &with) {
    auto tables = std::make_shared<const TableProgram>(
        planOneCase(observable, with, diagnostics, planHooks()));
    LanePlan made = buildLanePlan(observable, *tables, schema, lanes, budget);
    made.tables = std::move(tables);
    return made;
  };
  LanePlan best = planned(plan);
  if (best.operations > lanes.mostOperationsForTrials || plan.order != OrderMethod::Auto)
    return best;
  // The cheapest order for one case alone need not be cheapest in lanes, where findings are rows of
  // tables.
  double bestUs = budget.listUs(best);
  for (uint64_t seed = 0; seed < lanes.furtherOrders; ++seed) {
    if (!budget.paysForOrder(best.operations, bestUs))
      break;
    plan.order = seed % 2 == 0 ? OrderMethod::MinFill : OrderMethod::MinWeight;
    plan.seed = options_.plan.seed + seed / 2;
    LanePlan other = planned(plan);
    if (other.laneCost >= best.laneCost)
      continue;
    best = std::move(other);
    bestUs = budget.listUs(best);
  }
  return best;
}

void requireForm(ElementType type, bool forcedLog) {
  if (forcedLog && isIntegerType(type))
    fail(ErrorKind::Usage, "{} holds whole numbers, it has no log arithmetic",
         elementTypeName(type));
}

} // namespace mpf
