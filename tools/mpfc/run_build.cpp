// mpfc build: one query of a model, or joined ones, as a bundle file, run later without parser and
// planner.
#include "codegen/bundle/forms/program_file.h"
#include "codegen/bundle/head/answered_queries.h"
#include "dsl/support/check.h"
#include "tools/mpfc/commands.h"
#include "tools/mpfc/compile/compile_queries.h"
#include "tools/mpfc/compile/joined_queries.h"
#include "tools/mpfc/compile/plan_each_in_lanes.h"
#include "tools/mpfc/device_compiler.h"
#include "tools/mpfc/process/output.h"

#include <utility>

namespace mpf::driver {

namespace {

[[noreturn]] void failWithSeveral(const Refusals &refusals) {
  fail(ErrorKind::Usage,
       "a bundle holds one query, the model has {}: choose with --query (joint posteriors count as "
       "one "
       "if one program answers them within the memory bound, and in no more time)",
       refusals.queries());
}

/// Bundles a model with a list of cases as a lane program, which has no kernels in it.
int buildLanes(const Model &model, const Options &options) {
  for (const auto &[name, isGiven] :
       {std::pair("--plan", !options.plan.empty()), std::pair("--arch", !options.archs.empty()),
        std::pair("--autotune", options.autotune.has_value())})
    if (isGiven)
      fail(ErrorKind::Usage, "{} is for bundles of single results: {} has a list of cases", name,
           options.input);
  Refusals refusals;
  const std::vector<LanePlan> plans =
      planEachInLanes(model, options, refusals, Joining::WhereItPays);
  if (refusals.queries() != 1 &&
      (plans.size() != 1 || answeredQueries(plans.front().program).size() != refusals.queries()))
    failWithSeveral(refusals);
  if (plans.empty())
    say("mpfc: note: a bundle for lists of cases holds lanes alone: without one, mpfc run {} "
        "answers "
        "the cases of such a query\n",
        options.input);
  else
    writeProgram(options.output, plans.front().program);
  return refusals.exitCode();
}

} // namespace

int runBuild(const Options &options) {
  CompileInput input = loadInput(options);
  if (const auto *model = std::get_if<Model>(&input); model != nullptr && hasManyCases(*model))
    return buildLanes(*model, options);
  Options forArchs = options;
  if (forArchs.target.empty() && !options.archs.empty())
    forArchs.target = options.archs.front();
  if (!forArchs.target.empty())
    noteUnusedCache();
  Refusals refusals;
  std::vector<Bundle> bundles =
      compileQueries(std::move(input), forArchs, refusals, Joining::WhereItPays);
  if (refusals.queries() != 1 &&
      (bundles.size() != 1 || answeredQueries(bundles.front()).size() != refusals.queries()))
    failWithSeveral(refusals);
  if (bundles.empty())
    return refusals.exitCode();
  addCubins(bundles.front(), options.archs, options.dumpKernels);
  writeProgram(options.output, bundles.front());
  return 0;
}

} // namespace mpf::driver
