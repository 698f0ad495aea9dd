// The runs over which the programs of a list of cases are planned.
#include "runtime/engine/planned_engine.h"

#include "codegen/plan/build_program.h"
#include "codegen/specialise/build_bundle.h"
#include "runtime/choose/program_predictor.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

/// Compiled kernels pay over many runs, so a prediction for the list's runs counts on them.
TEST(RunsOfCases, AreThoseThatTheirProgramsArePredictedFor) {
  const Model model = test::grid(8, 8);
  Diagnostics diagnostics;
  const Bundle bundle =
      buildBundle(model, buildProgram(model, model.queries.front(), {}, diagnostics), {});
  const auto predicted = [&bundle](const CompileSettings &settings) {
    return settings.chooser->runUs(bundle, PredictedKernels::All);
  };
  CaseSettings settings;
  settings.compile.purpose = Purpose::Text; // uses the shipped speeds
  settings.compile.devices = DeviceRequest::cpu();
  setMachine(settings.compile);
  const double onceUs = predicted(settings.compile);
  const CaseSchema schema;
  const CaseProblem problem{model, schema, model.queries.front(), settings, 100'000'000, {}};
  const CompileSettings single = forRunsOf(problem, 1), together = forRunsOf(problem, 100'000'000);
  EXPECT_EQ(runCostsFor(single, ElementType::F64).expectedRuns, 1e8);
  EXPECT_LT(predicted(single), 0.99 * onceUs);
  EXPECT_EQ(predicted(together), onceUs);
}

TEST(LeftShare, FollowsTheOperationsOfAKnownProgram) {
  Model model;
  model.factors.resize(1000);
  const CaseSchema schema;
  const Query query;
  const CaseProblem problem{model, schema, query, {}, 64, {}};
  EXPECT_LT(leftShare(problem, 10), 0.1);
  EXPECT_EQ(2 * leftShare(problem, 10), leftShare(problem, 20));
  EXPECT_EQ(leftShare(problem, 3000), 1) << "all marginals take more operations";
}

} // namespace
} // namespace mpf
