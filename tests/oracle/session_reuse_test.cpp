// Tests sessions that run repeatedly. Every answer has the bits of a new session, and operations
// that do not depend on a change are not computed again. On the CPU and, if there is one, on the
// GPU; whole and in slices.
#include "codegen/bundle/bundle.h"
#include "codegen/pipeline/pipeline.h"
#include "runtime/api/session.h"
#include "runtime/choose/jit_gpu.h"
#include "runtime/machine/gpu_backend.h"
#include "tests/oracle/models/random_models.h"
#include "tests/oracle/models/sliced_programs.h"

#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <map>

namespace mpf::oracle {
namespace {

struct ReuseCase {
  const char *name;
  const char *device;
  KeptMessages keep;
  bool forcedLog;
  size_t loops;
};

class SessionReuse : public testing::TestWithParam<ReuseCase> {
protected:
  void SetUp() override {
    if (std::string(GetParam().device) == "gpu" && !gpuBackendUnavailable().empty())
      GTEST_SKIP() << gpuBackendUnavailable();
  }
};

SessionOptions sessionOptions(const char *device) {
  SessionOptions options;
  options.device = device;
  options.threads = 1;
  return options;
}

Program compiled(std::mt19937_64 &random, const Model &model, const ReuseCase &c) {
  PipelineOptions options;
  options.plan.keep = c.keep;
  options.forcedLog = c.forcedLog;
  if (std::string(c.device) == "gpu") {
    const double runs = random() % 2 == 0 ? std::numeric_limits<double>::infinity() : 0;
    options.gpu = gpuNamed(gpuBackendArch(), {runs, runs});
  }
  constexpr QueryKind kKinds[] = {QueryKind::Evidence, QueryKind::Joint, QueryKind::Mpe,
                                  QueryKind::Marginals};
  const Query query = randomQuery(random, model, kKinds[random() % (c.loops > 0 ? 3 : 4)]);
  if (c.loops > 0)
    return Program(std::make_shared<const Bundle>(Pipeline(options).compileProgram(
        model, randomlySliced(random, model, query, c.loops, {}, c.keep))));
  Diagnostics diagnostics;
  return Program(
      std::make_shared<const Bundle>(Pipeline(options).compile(model, query, diagnostics)));
}

void expectSameBits(const Result &a, const Result &b) {
  ASSERT_EQ(a.zeroProbability, b.zeroProbability);
  ASSERT_EQ(a.tables.size(), b.tables.size());
  for (size_t t = 0; t < a.tables.size(); ++t) {
    const auto &x = a.tables[t].entries, &y = b.tables[t].entries;
    ASSERT_EQ(x.size(), y.size());
    ASSERT_TRUE(x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof x[0]) == 0)
        << a.tables[t].name;
    ASSERT_EQ(a.tables[t].exponent, b.tables[t].exponent);
  }
  ASSERT_EQ(a.assignments.size(), b.assignments.size());
  for (size_t i = 0; i < a.assignments.size(); ++i)
    ASSERT_EQ(a.assignments[i].states, b.assignments[i].states);
}

/// The states and values that a session was given, to give them to a new one.
struct Told {
  std::map<std::string, uint32_t> states;
  std::map<std::string, std::vector<double>> values;

  void to(Session &session) const {
    for (const auto &[variable, state] : states)
      session.observe(variable, state);
    for (const auto &[factor, entries] : values)
      session.bind(factor, entries);
  }
};

TEST_P(SessionReuse, GivesTheBitsOfANewSession) {
  std::mt19937_64 random(1854);
  RandomModelOptions shape;
  shape.observedShare = 0.3;
  uint64_t run = 0, inAll = 0;
  const int models = std::string(GetParam().device) == "gpu" ? 6 : 60;
  for (int i = 0; i < models && !HasFatalFailure(); ++i) {
    SCOPED_TRACE(i);
    const Model model = randomModel(random, shape);
    const Program program = compiled(random, model, GetParam());
    Session session(program, sessionOptions(GetParam().device));
    Told told;
    for (int k = 0; k < 6 && !HasFatalFailure(); ++k) {
      SCOPED_TRACE(k);
      // The first change is to the second run: a state, or a table, or nothing at all.
      if (k > 0 && !model.evidence.findings.empty() && random() % 4 != 0) {
        const std::vector<Finding> &findings = model.evidence.findings;
        const Variable &variable = model.variable(findings[random() % findings.size()].variable);
        told.states[variable.name] = static_cast<uint32_t>(random() % variable.extent);
      } else if (k > 0 && !program.bundle().inputs.empty() && random() % 3 == 0) {
        const BundleInput &input =
            program.bundle().inputs[random() % program.bundle().inputs.size()];
        if (input.raw)
          continue; // the program's own
        std::vector<double> values = *program.bundle().tables[*input.table];
        for (double &value : values)
          value *= static_cast<double>(1 + random() % 5);
        told.values[input.factor] = std::move(values);
      }
      told.to(session);
      const Result again = session.run();
      Session fresh(program, sessionOptions(GetParam().device));
      told.to(fresh);
      const Result first = fresh.run();
      EXPECT_EQ(first.operationsRun, first.operationsInAll);
      expectSameBits(again, first);
      run += again.operationsRun;
      inAll += again.operationsInAll;
    }
  }
  EXPECT_LT(run, inAll) << "the test must see runs that leave something out";
}

INSTANTIATE_TEST_SUITE_P(
    Cases, SessionReuse,
    testing::Values(ReuseCase{"constant", "cpu", KeptMessages::Constant, false, 0},
                    ReuseCase{"all", "cpu", KeptMessages::All, false, 0},
                    ReuseCase{"log", "cpu", KeptMessages::All, true, 0},
                    ReuseCase{"slices", "cpu", KeptMessages::All, false, 2},
                    ReuseCase{"gpu_constant", "gpu", KeptMessages::Constant, false, 0},
                    ReuseCase{"gpu_all", "gpu", KeptMessages::All, false, 0},
                    ReuseCase{"gpu_log", "gpu", KeptMessages::All, true, 0},
                    ReuseCase{"gpu_slices", "gpu", KeptMessages::All, false, 2}),
    [](const auto &instance) { return std::string(instance.param.name); });

/// The messages of a long chain do not depend on the one state that is observed at its end.
constexpr const char *kChain = R"(
  var x[24] : 6
  factor start(x[0]) = [1, 2, 3, 4, 5, 6]
  for i in 0..23: factor step(x[i], x[i + 1]) = x[i] == x[i + 1] ? 2 : 1
  var seen : 3
  factor last(x[23], seen) = x[23] > seen ? 1 : 3
  observe seen = 1
  query evidence
)";

class ConstantFolding : public testing::TestWithParam<const char *> {};

TEST_P(ConstantFolding, TheSecondRunComputesWhatDependsOnTheObservation) {
  if (std::string(GetParam()) == "gpu" && !gpuBackendUnavailable().empty())
    GTEST_SKIP() << gpuBackendUnavailable();
  CompileOptions options;
  options.device = GetParam();
  const Program program = compileText(kChain, options);
  Session session(program, sessionOptions(GetParam()));
  const Result first = session.run();
  EXPECT_EQ(first.operationsRun, first.operationsInAll);
  EXPECT_GE(first.operationsInAll, 23u);
  session.observe("seen", 2);
  const Result second = session.run();
  EXPECT_LE(second.operationsRun, 2u);
  Session fresh(program, sessionOptions(GetParam()));
  fresh.observe("seen", 2);
  expectSameBits(second, fresh.run());
  EXPECT_EQ(session.run().operationsRun, 0u) << "nothing has changed";
  // The promised peak includes kept messages.
  EXPECT_EQ(second.peakBytes, first.peakBytes);
  EXPECT_LE(second.allocatedBytes, second.peakBytes);
  session.bind("start", std::vector<double>{6, 5, 4, 3, 2, 1});
  EXPECT_EQ(session.run().operationsRun, first.operationsInAll);
}

INSTANTIATE_TEST_SUITE_P(Devices, ConstantFolding, testing::Values("cpu", "gpu"));

struct Cost {
  double operationsPerRun = 0, runUs = 0;
  uint64_t operations = 0, peakBytes = 0;
};

/// A medical network with 50 findings, of which one changes before every run.
Cost costOfChanges(bool finalTables, bool keepMessages) {
  const std::string folder = std::string(MPF_SOURCE_DIR) + "/examples/04_medical/";
  CompileOptions options;
  options.device = "cpu";
  options.finalTables = finalTables;
  options.keepMessages = keepMessages;
  const Program program =
      compileFile(folder + "cpcs360b.uai.xz", options, {.evidence = folder + "cpcs360b.uai.evid"});
  std::vector<const HeadVariable *> findings;
  for (const Finding &finding : program.bundle().evidence.findings)
    if (const HeadVariable &variable = program.bundle().variables[finding.variable.index()];
        variable.extent > 1)
      findings.push_back(&variable);
  Session session(program, sessionOptions("cpu"));
  session.run();
  std::mt19937_64 random(360);
  constexpr int kRuns = 200;
  Cost cost;
  for (int i = 0; i < kRuns; ++i) {
    const HeadVariable &finding = *findings[random() % findings.size()];
    session.observe(finding.name, static_cast<uint32_t>(i % 2));
    const Result result = session.run();
    cost.operationsPerRun += static_cast<double>(result.operationsRun) / kRuns;
    for (const ResultTiming &timing : result.timings)
      cost.runUs += timing.phase == "run" ? timing.timeUs / kRuns : 0;
    cost.operations = result.operationsInAll;
    cost.peakBytes = result.peakBytes;
  }
  std::printf("%s tables, %s kept: %.0f of %llu operations a run, %.0f us, %.0f KiB\n",
              finalTables ? "final" : "open", keepMessages ? "all messages" : "constant messages",
              cost.operationsPerRun, static_cast<unsigned long long>(cost.operations), cost.runUs,
              static_cast<double>(cost.peakBytes) / 1024);
  return cost;
}

TEST(SessionGain, OneFindingOfFiftyChanges) {
  for (const bool finalTables : {false, true}) {
    const Cost constant = costOfChanges(finalTables, false), all = costOfChanges(finalTables, true);
    EXPECT_LT(constant.operationsPerRun, static_cast<double>(constant.operations));
    EXPECT_LT(all.operationsPerRun, 0.75 * constant.operationsPerRun);
    EXPECT_GE(all.peakBytes, constant.peakBytes);
  }
}

} // namespace
} // namespace mpf::oracle
