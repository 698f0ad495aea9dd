// Compares programs that store every table in a random order with exhaustive enumeration, on the
// CPU and, if there is one, on the GPU. They run whole and in slices, with split sums, shared
// tables, kept messages and all element types. Programs go through their texts, and states are
// observed and values bound anew.
#include "codegen/pipeline/pipeline.h"
#include "codegen/plan/build_program.h"
#include "codegen/plan/program/print_program.h"
#include "codegen/plan/program/read_program.h"
#include "runtime/api/session.h"
#include "runtime/choose/jit_gpu.h"
#include "runtime/machine/gpu_backend.h"
#include "tests/oracle/compare_result.h"
#include "tests/oracle/models/cut_everywhere.h"
#include "tests/oracle/models/random_layouts.h"
#include "tests/oracle/models/random_models.h"
#include "tests/oracle/models/sliced_programs.h"
#include "tests/support/trials.h"

#include <algorithm>
#include <limits>
#include <string>

namespace mpf::oracle {
namespace {

struct LayoutRun {
  const char *name;
  const char *device;
  ElementType type;
  bool forcedLog;
  double tolerance;
};

class LaidOutAtRandom : public testing::TestWithParam<LayoutRun> {};

/// Replaces values by small whole numbers, for types that hold no others.
void makeIntegers(Model &model) {
  for (Factor &factor : model.factors) {
    std::vector<double> values = *factor.values;
    for (double &value : values)
      value = std::floor(value * 4);
    factor.values = std::make_shared<const std::vector<double>>(std::move(values));
  }
}

struct LaidOutQuery {
  Model model;
  Query query;
  TableProgram plan;
  bool shared = false; ///< values are final
};

LaidOutQuery laidOutQuery(std::mt19937_64 &random, int number, ElementType type) {
  RandomModelOptions shape;
  shape.maxExtent = 4;
  shape.observedShare = 0.25;
  shape.repeatedTables = number % 2 == 0 ? 3 : 0;
  LaidOutQuery made;
  made.model = randomModel(random, shape);
  if (isIntegerType(type))
    makeIntegers(made.model);
  constexpr QueryKind kKinds[] = {QueryKind::Evidence, QueryKind::Mpe, QueryKind::Expression,
                                  QueryKind::Joint, QueryKind::Marginals};
  made.query = randomQuery(random, made.model, kKinds[number % (isIntegerType(type) ? 2 : 5)]);
  CutEverywhere parts(static_cast<uint64_t>(number));
  DeviceCosts *const cut = number % 3 == 0 ? &parts : nullptr;
  if (number % 4 == 3) {
    made.shared = true;
    made.plan = randomlySliced(random, made.model, made.query, 1 + number / 5 % 3, {},
                               KeptMessages::None, cut);
  } else {
    PlanOptions options;
    options.keep = number % 4 == 2 ? KeptMessages::All : KeptMessages::None;
    options.finalTables = made.shared = number % 4 == 0;
    options.deviceCosts = cut;
    Diagnostics diagnostics;
    made.plan = buildProgram(made.model, made.query, options, diagnostics);
  }
  return made;
}

TableProgram readAgain(const TableProgram &program) {
  const std::string text = printProgram(program);
  Diagnostics diagnostics;
  auto read = readPrograms(std::make_shared<const SourceBuffer>("plan", text), diagnostics);
  EXPECT_TRUE(read) << renderDiagnostics(diagnostics) << text;
  EXPECT_EQ(printProgram(read->front().program), text);
  return std::move(read->front().program);
}

/// Changes the state of one observed variable, and the values of one factor.
void changeSomething(std::mt19937_64 &random, LaidOutQuery &made, Session &session,
                     const Bundle &bundle) {
  Evidence &evidence = made.model.evidence;
  if (!evidence.findings.empty()) {
    const VarId seen = evidence.findings[random() % evidence.findings.size()].variable;
    const Variable &variable = made.model.variable(seen);
    evidence.setState(seen, static_cast<uint32_t>(random() % variable.extent));
    session.observe(variable.name, *evidence.state(seen));
  }
  if (made.shared || bundle.inputs.empty())
    return;
  const BundleInput &input = bundle.inputs[random() % bundle.inputs.size()];
  const auto factor =
      std::find_if(made.model.factors.begin(), made.model.factors.end(),
                   [&input](const Factor &other) { return other.name == input.factor; });
  if (factor == made.model.factors.end() || input.raw)
    return;
  std::vector<double> values = *factor->values;
  for (double &value : values)
    value *= static_cast<double>(1 + random() % 3);
  session.bind(input.factor, values);
  factor->values = std::make_shared<const std::vector<double>>(std::move(values));
}

/// Compiles the program; on a GPU every other one has specialised kernels for all operations.
Program compiled(const LaidOutQuery &made, const LayoutRun &form, int number) {
  PipelineOptions options;
  options.plan.type = form.type;
  options.forcedLog = form.forcedLog;
  const double runs = number % 2 == 0 ? std::numeric_limits<double>::infinity() : 0;
  if (form.device == std::string("gpu"))
    options.gpu = gpuNamed(gpuBackendArch(), {runs, runs});
  return Program(std::make_shared<const Bundle>(
      Pipeline(options).compileProgram(made.model, readAgain(made.plan))));
}

TEST_P(LaidOutAtRandom, AgreesWithBruteForce) {
  const LayoutRun &form = GetParam();
  const bool onGpu = form.device == std::string("gpu");
  if (onGpu && !gpuBackendUnavailable().empty())
    GTEST_SKIP() << gpuBackendUnavailable();
  std::mt19937_64 random(2008);
  size_t laidOut = 0;
  for (int i = 0; i < (onGpu ? 40 : trials(400)) && !HasFailure(); ++i) {
    LaidOutQuery made = laidOutQuery(random, i, form.type);
    laidOut += layOutRandomly(random, made.plan);
    SCOPED_TRACE(fmt::format("model {}\n{}", i, printProgram(made.plan)));
    const Program program = compiled(made, form, i);
    SessionOptions options;
    options.device = form.device;
    options.threads = i % 2 == 0 ? 1 : 3;
    options.verifySamples = 4;
    Session session(program, options);
    for (int run = 0; run < 3 && !HasFailure(); ++run) {
      expectAnswer(made.model, made.query, session.run(), form.tolerance);
      changeSomething(random, made, session, program.bundle());
    }
  }
  EXPECT_GE(laidOut, onGpu ? 30u : trials(300u));
}

INSTANTIATE_TEST_SUITE_P(
    Forms, LaidOutAtRandom,
    testing::Values(LayoutRun{"f64", "cpu", ElementType::F64, false, 1e-11},
                    LayoutRun{"f64_logs", "cpu", ElementType::F64, true, 1e-11},
                    LayoutRun{"f32", "cpu", ElementType::F32, false, 2e-4},
                    LayoutRun{"f32_logs", "cpu", ElementType::F32, true, 2e-4},
                    LayoutRun{"u64", "cpu", ElementType::U64, false, 0},
                    LayoutRun{"u128", "cpu", ElementType::U128, false, 0},
                    LayoutRun{"gpu_f64", "gpu", ElementType::F64, false, 1e-11},
                    LayoutRun{"gpu_f32", "gpu", ElementType::F32, false, 2e-4},
                    LayoutRun{"gpu_logs", "gpu", ElementType::F64, true, 1e-11},
                    LayoutRun{"gpu_u64", "gpu", ElementType::U64, false, 0}),
    [](const auto &instance) { return std::string(instance.param.name); });

} // namespace
} // namespace mpf::oracle
