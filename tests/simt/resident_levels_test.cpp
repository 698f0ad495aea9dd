// Levels of several operations in launches whose blocks wait for each other, in the checker. They
// have no fault and give the same bits as launches whose blocks do not wait. Faults that are
// planted in the waits are found.
#include "codegen/emit/table_driven_source.h"
#include "runtime/simt/simt_check.h"
#include "tests/oracle/bind_observed.h"
#include "tests/oracle/random_bucket.h"
#include "tests/oracle/run_on_cpu.h"
#include "tests/simt/table_driven_executor.h"

#include <gtest/gtest.h>

namespace mpf::simt {
namespace {

constexpr double kAddresses = 4000; ///< most addresses of an operation; large operations are split

std::unique_ptr<Executor> runOn(const Bundle &bundle, Program &program, TableDrivenPath path,
                                std::string &faults) {
  auto executor = makeTableDrivenExecutor(bundle, program, path, faults);
  oracle::bindObserved(bundle, *executor);
  executor->run({}, {});
  return executor;
}

class ResidentLevels : public testing::TestWithParam<oracle::BucketSeries> {};

TEST_P(ResidentLevels, HaveTheBitsOfLevelsApart) {
  oracle::BucketCase c = GetParam().base;
  std::unique_ptr<Program> programs[2]; // by whether inputs are packed
  for (c.seed = 1; c.seed <= 6 && !HasFailure(); ++c.seed) {
    const Bundle bundle = oracle::randomLevels(c, kAddresses);
    std::unique_ptr<Program> &program = programs[bundle.packs()];
    if (!program)
      program = compileTableDriven(tableDrivenSource(c.type, bundle.packs()));
    std::string faults;
    const auto apart = runOn(bundle, *program, TableDrivenPath::Level, faults);
    const auto resident = runOn(bundle, *program, TableDrivenPath::Resident, faults);
    EXPECT_EQ(faults, "") << "seed " << c.seed;
    EXPECT_TRUE(oracle::sameBits(bundle, *apart, *resident)) << "seed " << c.seed;
    // The tolerance is larger, because errors of three levels add up.
    EXPECT_EQ(oracle::compareWithBruteForce(bundle, *resident, 10 * oracle::bucketTolerance(c)), "")
        << "seed " << c.seed;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ResidentLevels, testing::ValuesIn(oracle::bucketSeries()),
                         [](const auto &instance) { return std::string(instance.param.name); });

/// Returns the checker's faults of some programs that run with an edited text.
std::string faultsOf(const std::string &source) {
  oracle::BucketCase c;
  c.spreadLog10 = 300; // includes logarithms that return to linear form
  const auto program = compileTableDriven(source);
  std::string faults;
  for (c.seed = 1; c.seed <= 4; ++c.seed)
    runOn(oracle::randomLevels(c, kAddresses), *program, TableDrivenPath::Resident, faults);
  return faults;
}

/// Returns the text with its last `what` replaced.
std::string with(const std::string &what, const std::string &by) {
  std::string source = tableDrivenSource(ElementType::F64, true);
  const size_t at = source.rfind(what);
  EXPECT_NE(at, std::string::npos) << what;
  return source.replace(at, what.size(), by);
}

TEST(ResidentLevelFaults, NoFaultInTheTextItself) {
  EXPECT_EQ(faultsOf(with("return;", "return;")), "");
}

TEST(ResidentLevelFaults, AMissingWaitIsARace) {
  EXPECT_NE(faultsOf(with("mpfAwaitPhase(now.task, finished);", ";")).find("race in global memory"),
            std::string::npos);
}

TEST(ResidentLevelFaults, AWaitForOneBlockTooFewIsARace) {
  EXPECT_NE(faultsOf(with("(unsigned)MPF_LD(MPF_SITE_TASK, task->awaitedBlocks)",
                          "(unsigned)MPF_LD(MPF_SITE_TASK, task->awaitedBlocks) - 1"))
                .find("race in global memory"),
            std::string::npos);
}

TEST(ResidentLevelFaults, AWaitForOneBlockTooManyHasNoEnd) {
  EXPECT_NE(faultsOf(with("(unsigned)MPF_LD(MPF_SITE_TASK, task->awaitedBlocks)",
                          "(unsigned)MPF_LD(MPF_SITE_TASK, task->awaitedBlocks) + 1"))
                .find("endless wait"),
            std::string::npos);
}

TEST(ResidentLevelFaults, AMissingSignalIsAnEndlessWait) {
  EXPECT_NE(
      faultsOf(with("mpfEndPhase(now.task, finished);", "__syncthreads();")).find("endless wait"),
      std::string::npos);
}

TEST(ResidentLevelFaults, ASignalInFrontOfTheBarrierIsARace) {
  const std::string signal = "  if (threadIdx.x == 0)\n"
                             "    MPF_SIGNAL(counters[MPF_LD(MPF_SITE_TASK, task->ended)]);\n";
  EXPECT_NE(faultsOf(with("  __syncthreads();\n" + signal, signal + "  __syncthreads();\n"))
                .find("race in global memory"),
            std::string::npos);
}

TEST(ResidentLevelFaults, AWaitThatOtherWarpsDoNotSeeIsARace) {
  EXPECT_NE(faultsOf(with("task->awaitedBlocks));\n  __syncthreads();", "task->awaitedBlocks));"))
                .find("race in global memory"),
            std::string::npos);
}

} // namespace
} // namespace mpf::simt
