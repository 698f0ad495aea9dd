// Tests the whole pipeline: stages entered from texts, refusals, hooks, and the decisions of a
// purpose.
#include "codegen/bundle/print_bundle.h"
#include "codegen/pipeline/model_pipeline.h"
#include "codegen/plan/program/print_program.h"
#include "codegen/plan/program/read_program.h"
#include "dsl/support/check.h"
#include "tests/unit/codegen/machine/fake_machine.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace mpf {
namespace {

Model chain() { return test::binaryModel(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}}); }

TableProgram readAgain(const TableProgram &program) {
  Diagnostics diagnostics;
  const auto text = std::make_shared<const SourceBuffer>("plan", printProgram(program));
  auto read = readPrograms(text, diagnostics);
  EXPECT_TRUE(read) << renderDiagnostics(diagnostics);
  return std::move(read.value().front().program);
}

TEST(Pipeline, StagesOneByOneAndFromATextMakeTheBundleOfAll) {
  const Model model = chain();
  CompileSettings settings;
  settings.target = "sm_90";
  settings.gpu = SpecialiseOptions{targetNamed("sm_90"), 1e9};
  const Pipeline pipeline(pipelineOptionsFor(settings, ElementType::F64));
  const Query &query = model.queries.front();
  Diagnostics diagnostics;
  const std::string all = printBundle(pipeline.compile(model, query, diagnostics));
  EXPECT_NE(all.find("table_driven_f64"), std::string::npos);

  const Simplified simple = pipeline.simplify(model, query);
  const TableProgram program = readAgain(pipeline.plan(simple, diagnostics));
  Bundle bundle = pipeline.bundle(simple.model, program, simple.answer);
  EXPECT_TRUE(bundle.kernels.empty());
  pipeline.specialise(bundle, program);
  EXPECT_EQ(printBundle(bundle), all);
}

/// Kernels are kept in a cache for other processes, answers to the planner's questions are not.
TEST(Pipeline, QuestionsOfThePlannerPayOverTheRunsOfThisProcess) {
  CompileSettings settings;
  settings.target = "sm_90";
  const auto costs = [&settings] { return *pipelineOptionsFor(settings, ElementType::F64).costs; };
  settings.purpose = Purpose::OneRun;
  EXPECT_EQ(costs().planningRuns, 1);
  EXPECT_EQ(costs().expectedRuns, 100);
  settings.purpose = Purpose::Sessions;
  EXPECT_EQ(costs().planningRuns, 100);
  settings.purpose = Purpose::OneRun;
  settings.expectedRuns = 7;
  EXPECT_EQ(costs().planningRuns, 7);
  EXPECT_EQ(costs().expectedRuns, 7);
}

/// The first query is not supported, the second one is.
struct TwoQueries {
  Model model = chain();
  std::vector<Query> queries;
  QueryPolicy policy;

  TwoQueries() {
    queries = {shortQuery(model, QueryKind::Samples, {}, 3),
               shortQuery(model, QueryKind::Evidence)};
  }

  std::vector<std::string> answered() {
    std::vector<std::string> names;
    compileEach(model, queries, policy,
                [&names](const Bundle &bundle) { names.push_back(bundle.name); });
    return names;
  }
};

TEST(Pipeline, ARefusedQueryIsThrownOrCollected) {
  TwoQueries two;
  EXPECT_THROW(two.answered(), Error);
  std::vector<std::string> refused;
  two.policy.refusals = RefusalPolicy([&refused](const std::string &query, const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
    refused.push_back(query);
  });
  EXPECT_EQ(two.answered(), std::vector<std::string>{"evidence"});
  EXPECT_EQ(refused, std::vector<std::string>{"samples(3)"});
}

/// Chooses a GPU that the machine lacks.
class NoDevice final : public DeviceChooser {
public:
  double runUs(const Bundle &, PredictedKernels) const override { return 1; }
  std::optional<SpecialiseOptions> gpuFor(Bundle &) const override {
    fail(ErrorKind::Device, "no device");
  }
};

TEST(Pipeline, WhatBefallsEveryQueryIsNeverCollected) {
  TwoQueries two;
  two.policy.refusals = RefusalPolicy([](const std::string &, const Error &) {});
  two.policy.settings.chooser = std::make_shared<const NoDevice>();
  EXPECT_THROW(two.answered(), Error);
}

TEST(Pipeline, HooksAreToldInOrderAndStayEmptyWhereNobodyListens) {
  EXPECT_FALSE(bothHooks({}, {}).afterPlanPass);
  std::string told;
  PipelineHooks first, second;
  first.afterPlanPass = [&told](const PassEvent &event) {
    told += event.pass == "eliminate" ? "1" : "";
  };
  second.afterPlanPass = [&told](const PassEvent &event) {
    told += event.pass == "eliminate" ? "2" : "";
  };
  second.planningBegins = [&told](const PlanningEvent &event) { told += event.query; };
  const Model model = chain();
  PipelineOptions options;
  options.hooks = bothHooks(first, second);
  Diagnostics diagnostics;
  Pipeline(options).compile(model, model.queries.front(), diagnostics);
  EXPECT_EQ(told, model.queries.front().name + "12");
}

TEST(Pipeline, ThePurposeDecidesWhatIsNotSaid) {
  CompileSettings settings;
  const auto optionsFor = [&settings](Purpose purpose) {
    settings.purpose = purpose;
    return pipelineOptionsFor(settings, ElementType::F32);
  };
  EXPECT_TRUE(optionsFor(Purpose::OneRun).simplify.finalEvidence);
  EXPECT_FALSE(optionsFor(Purpose::Sessions).simplify.finalTables);
  EXPECT_EQ(optionsFor(Purpose::OneRun).plan.keep, KeptMessages::None);
  EXPECT_EQ(optionsFor(Purpose::Text).plan.keep, KeptMessages::Constant);
  EXPECT_FALSE(optionsFor(Purpose::Bundle).costs);
  EXPECT_TRUE(optionsFor(Purpose::Text).costs);

  settings.machine = std::make_shared<KnownMachine>(test::machineWith({}));
  EXPECT_TRUE(optionsFor(Purpose::Sessions).costs->hasGpu);
  EXPECT_FALSE(optionsFor(Purpose::Text).costs->hasGpu);
  settings.devices = DeviceRequest::cpu();
  EXPECT_FALSE(optionsFor(Purpose::Sessions).costs);

  settings.simplify = Simplification::Tables;
  settings.keep = KeptMessages::All;
  settings.target = "sm_80";
  settings.offPasses = {"zeros", "join-buckets"};
  const PipelineOptions said = optionsFor(Purpose::Bundle);
  EXPECT_TRUE(said.simplify.finalTables);
  EXPECT_FALSE(said.simplify.finalEvidence);
  EXPECT_EQ(said.plan.keep, KeptMessages::All);
  EXPECT_EQ(said.costs->target.name, "sm_80");
  EXPECT_FALSE(said.costs->hasGpu);
  EXPECT_EQ(said.simplify.offPasses, std::vector<std::string>{"zeros"});
  EXPECT_EQ(said.offPlanPasses, std::vector<std::string>{"join-buckets"});
}

} // namespace
} // namespace mpf
