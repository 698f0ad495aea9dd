#include "tools/mpfc/compile/plan_each_in_lanes.h"

#include "codegen/kernel/form/target.h"
#include "runtime/engine/lanes/lane_engine.h"
#include "tools/mpfc/cases/case_list.h"
#include "tools/mpfc/compile/case_settings_for.h"
#include "tools/mpfc/compile/joined_queries.h"
#include "tools/mpfc/compile/memory_bound.h"
#include "tools/mpfc/compile/select_query.h"
#include "tools/mpfc/process/attempts.h"

#include <optional>

namespace mpf::driver {

namespace {

/// Returns the GPU that the lanes of a printed plan would run on; none: they run on the CPU.
std::optional<Target> gpuOfLanes(const Options &options) {
  if (laneDeviceOf(options) == DeviceKind::Cpu)
    return std::nullopt;
  return targetOrReference(options.target);
}

} // namespace

std::vector<LanePlan> planEachInLanes(const Model &model, const Options &options,
                                      Refusals &refusals, Joining joining) {
  const std::vector<Query> queries = selectQueries(model, options);
  refusals.setQueries(namesOf(queries));
  const CaseList list = caseListOf(model, queries, options);
  const Options bounded = withMemoryBound(withStreamMemory(options), list.single);
  std::vector<LanePlan> plans;
  const auto add = [&](const Query &query) {
    CaseProblem problem =
        caseProblemFor(list.single, *list.source, query, bounded, gpuOfLanes(bounded));
    if (bounded.purpose == Purpose::Bundle)
      problem.rows.reset(); // it is for other lists
    plans.push_back(planLanesFor(problem));
    plans.back().program.formulas = list.formulas;
  };
  const bool areJoined = joining == Joining::WhereItPays;
  attemptJoined(areJoined ? joinedForList(list, queries, bounded) : queries, refusals, add);
  return plans;
}

} // namespace mpf::driver
