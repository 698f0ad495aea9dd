#include "tools/mpfc/lane_engine.h"

#include "codegen/pipeline/model_pipeline.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/execute/lanes/case_runner.h"
#include "tools/mpfc/memory_bound.h"
#include "tools/mpfc/missing_values.h"
#include "tools/mpfc/plan_queries.h"

#include <memory>

namespace mpf::driver {

namespace {

/// Enough that all threads have several strips of lanes, and that handing on a block costs nothing.
constexpr uint32_t kBestBlockCases = 16384;

/// A program with what runs it.
struct LaneEngine {
  LaneEngine(LanePlan plan, const CaseRunnerOptions &options)
      : program(std::move(plan.program)), runner(program, options) {}

  const LaneProgram program;
  CaseRunner runner;
};

LanePlan planFor(const Model &model, const CaseSchema &schema, const Query &query,
                 const Options &options) {
  Refusals none; // every error is thrown
  return planLanes(model, query, schema, queryPolicyFor(options, none));
}

} // namespace

CaseEngine makeLaneEngine(const Model &model, const CaseSource &cases, const Query &query,
                          const Options &given) {
  const Options options = withMemoryBound(given, model);
  CaseRunnerOptions runner;
  runner.threads = threadCount(options.threads);
  runner.maxBytes = options.maxMemoryBytes.value_or(runner.maxBytes);
  const auto engine =
      std::make_shared<LaneEngine>(planFor(model, cases.schema(), query, options), runner);
  for (const LaneValues &values : engine->program.values)
    if (!values.values)
      failWithoutValues(values.factor, query.name);
  engine->runner.deviceName(); // takes the memory, or refuses to
  CaseEngine made;
  shapeAnswers(engine->program, 0, made.layout);
  made.answer = [engine](const CaseBlock &block, CaseAnswers &answers) {
    engine->runner.run(block, answers);
  };
  made.bestBlockCases = kBestBlockCases;
  return made;
}

} // namespace mpf::driver
