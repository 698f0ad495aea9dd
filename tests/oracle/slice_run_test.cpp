// Compares sliced programs on the CPU executor with exhaustive enumeration: linear and log form,
// both element types, sums and maxima, several loops, one and several threads.
#include "codegen/bundle/forms/program_file.h"
#include "codegen/plan/build_program.h"
#include "codegen/plan/program/print_program.h"
#include "codegen/plan/program/reentered_loops.h"
#include "codegen/specialise/build_bundle.h"
#include "runtime/api/session.h"
#include "tests/oracle/compare_result.h"
#include "tests/oracle/models/random_models.h"
#include "tests/oracle/models/sliced_programs.h"
#include "tests/support/trials.h"
#include "tests/unit/temporary_folder.h"

#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace mpf::oracle {
namespace {

struct SliceRun {
  ElementType type;
  bool forcedLog;
};

class SlicedRuns : public testing::TestWithParam<SliceRun> {};

TEST_P(SlicedRuns, AgreeWithBruteForce) {
  const auto [type, forcedLog] = GetParam();
  const double tolerance = type == ElementType::F64 ? 1e-11 : 2e-4;
  constexpr QueryKind kKinds[] = {QueryKind::Evidence, QueryKind::Expression, QueryKind::Joint,
                                  QueryKind::Mpe,      QueryKind::Marginals,  QueryKind::Optimum};
  std::mt19937_64 random(99);
  for (int i = 0; i < 240 && !HasFailure(); ++i) {
    Model model = randomModel(random, {});
    Query query = randomQuery(random, model, kKinds[i % 6]);
    askSome(random, model, query);
    const TableProgram plan = randomlySliced(random, model, query, 1 + i / 6 % 4);
    SCOPED_TRACE(fmt::format("model {}\n{}", i, printProgram(plan)));
    const unsigned atOnce = 1 + i % 4;
    const Program program(
        std::make_shared<const Bundle>(buildBundle(model, plan, {type, forcedLog, atOnce})));
    SessionOptions options;
    options.device = "cpu";
    options.threads = i % 2 == 0 ? 1 : 3;
    options.verifySamples = i % 3 == 0 ? 0 : 4;
    Session session(program, options);
    for (int run = 0; run < 2; ++run) { // sums start afresh
      const Result result = session.run();
      expectAnswer(model, query, result, tolerance);
      EXPECT_EQ(result.allocatedBytes, result.peakBytes);
    }
  }
}

/// Reentered loops over one variable, against the program without slices.
TEST_P(SlicedRuns, GoBackIntoLoopsThatHaveEnded) {
  const auto [type, forcedLog] = GetParam();
  const double tolerance = type == ElementType::F64 ? 1e-10 : 1e-3;
  std::mt19937_64 random(77);
  RandomModelOptions options;
  options.maxVariables = 40;
  options.maxFactors = 100;
  options.reach = 4;
  options.zeroShare = 0.05;
  options.observedShare = 0.05;
  size_t second = 0;
  for (int i = 0; i < trials(600) && !HasFailure(); ++i) {
    const Model model = randomModel(random, options);
    const Query query = randomQuery(random, model, QueryKind::Marginals);
    const TableProgram whole = randomlySliced(random, model, query, 0);
    const TableProgram sliced = randomlySliced(random, model, query, 3 + i % 4);
    const auto again = std::count_if(sliced.variables.begin(), sliced.variables.end(), isReentered);
    second += static_cast<size_t>(again);
    if (again == 0)
      continue;
    SCOPED_TRACE(fmt::format("model {}\n{}", i, printProgram(sliced)));
    SessionOptions session;
    session.device = "cpu";
    session.verifySamples = 4;
    const auto run = [&](const TableProgram &plan) {
      const Program program(
          std::make_shared<const Bundle>(buildBundle(model, plan, {type, forcedLog})));
      return Session(program, session).run();
    };
    const Result expected = run(whole), actual = run(sliced);
    EXPECT_EQ(actual.allocatedBytes, actual.peakBytes);
    EXPECT_EQ(actual.zeroProbability, expected.zeroProbability);
    for (size_t t = 0; t < expected.tables.size() && !expected.zeroProbability; ++t) {
      const std::vector<double> want = valuesOf(expected.tables[t]),
                                have = valuesOf(actual.tables[t]);
      ASSERT_EQ(have.size(), want.size());
      for (size_t e = 0; e < want.size(); ++e)
        ASSERT_NEAR(have[e], want[e], tolerance * std::abs(want[e])) << expected.tables[t].name;
    }
  }
  EXPECT_GT(second, trials(30u));
}

INSTANTIATE_TEST_SUITE_P(Forms, SlicedRuns,
                         testing::Values(SliceRun{ElementType::F64, false},
                                         SliceRun{ElementType::F64, true},
                                         SliceRun{ElementType::F32, false},
                                         SliceRun{ElementType::F32, true}));

/// Returns a rows x columns grid with values far below any double: 2^-200 each.
std::string gridText(int rows, int columns) {
  std::string text = fmt::format("var x[{}] : 2\n", rows * columns);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      const int here = r * columns + c;
      const double weight = 1 + (here * 7 % 5) * 0.3;
      for (const int there : {c + 1 < columns ? here + 1 : -1, r + 1 < rows ? here + columns : -1})
        if (there >= 0)
          text += fmt::format(
              "factor f{0}_{1}(x[{0}], x[{1}]) = [[{2}e-60, 1e-60], [1e-60, {3}e-60]]\n", here,
              there, weight, weight / 2);
    }
  return text + "query evidence\n";
}

TEST(SlicedSession, BoundedGridGivesTheSameNumber) {
  const std::string text = gridText(14, 14);
  CompileOptions options;
  options.device = "cpu";
  const Program whole = compileText(text, options);
  const uint64_t inputs = whole.bundle().inputArenaBytes;
  const double expected = Session(whole).run().tables[0].at(0).log10();
  EXPECT_LT(expected, -20000);
  // A message over 14 variables takes 128 KiB, so no order fits into less without slices.
  for (const uint64_t workBytes : {uint64_t{100} << 10, uint64_t{60} << 10}) {
    options.maxMemoryBytes = inputs + workBytes;
    const Program sliced = compileText(text, options);
    ASSERT_FALSE(sliced.bundle().sliced.empty());
    const Result result = Session(sliced).run();
    EXPECT_LE(result.allocatedBytes, options.maxMemoryBytes);
    EXPECT_NEAR(result.tables[0].at(0).log10(), expected, 1e-9);
  }
}

TEST(SlicedSession, SavedProgramsKeepTheirLoops) {
  CompileOptions options;
  options.device = "cpu";
  const std::string text = gridText(13, 13);
  const Program whole = compileText(text, options);
  options.maxMemoryBytes = whole.bundle().inputArenaBytes + (uint64_t{50} << 10);
  const Program sliced = compileText(text, options);
  ASSERT_FALSE(sliced.bundle().sliced.empty());
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/sliced.mpfb";
  sliced.save(path);
  const Program again = loadProgram(path);
  EXPECT_EQ(again.bundle().sliced, sliced.bundle().sliced);
  EXPECT_EQ(Session(again).run().tables[0].at(0).log10(),
            Session(sliced).run().tables[0].at(0).log10());
}

/// Returns the bytes of this process's pages that are in memory.
uint64_t residentBytes() {
  std::ifstream statm("/proc/self/statm");
  uint64_t size = 0, resident = 0;
  statm >> size >> resident;
  return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

TEST(MemoryPromise, TheProcessGrowsByThePeakThatWasPrinted) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer keeps four times as much beside every table";
#endif
  // h(y, z) and the message of x over it: two tables of 128 MiB and next to nothing else.
  constexpr uint32_t kExtent = 4096;
  Model model;
  Query query;
  query.name = "evidence";
  for (const auto &[name, extent] : {std::pair{"x", 4u}, {"y", kExtent}, {"z", kExtent}})
    model.variables.push_back({name, extent, {}});
  for (const std::vector<size_t> &scope : {std::vector<size_t>{0, 1}, {0, 2}, {1, 2}}) {
    Factor factor;
    factor.name = factor.family = fmt::format("f{}", scope[0] + scope[1]);
    uint64_t elems = 1;
    for (const size_t v : scope) {
      factor.scope.push_back(VarId{v});
      elems *= model.variables[v].extent;
    }
    factor.values = std::make_shared<const std::vector<double>>(elems, 0.5);
    query.factors.push_back(FactorId{model.factors.size()});
    model.factors.push_back(factor);
  }
  Diagnostics diagnostics;
  const TableProgram plan = buildProgram(model, query, {}, diagnostics);
  const Program program(
      std::make_shared<const Bundle>(buildBundle(model, plan, {ElementType::F64, false})));
  SessionOptions options;
  options.device = "cpu";
  options.threads = 1;
  const uint64_t before = residentBytes();
  Session session(program, options);
  const Result result = session.run();
  const auto grown = static_cast<double>(residentBytes() - before);
  const auto promised = static_cast<double>(result.peakBytes);
  EXPECT_GT(promised, 128.0 * (1 << 20));
  EXPECT_NEAR(grown, promised, 0.02 * promised);
}

} // namespace
} // namespace mpf::oracle
