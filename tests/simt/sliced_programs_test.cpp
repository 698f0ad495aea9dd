// Whole sliced programs in the checker, compared with the CPU executor: the kernels of slices
// around the table-driven ones, with nested loops and loops side by side.
#include "codegen/emit/table_driven_source.h"
#include "codegen/pipeline/pipeline.h"
#include "runtime/simt/simt_check.h"
#include "tests/oracle/bind_observed.h"
#include "tests/oracle/models/random_models.h"
#include "tests/oracle/models/sliced_programs.h"
#include "tests/oracle/run_on_cpu.h"
#include "tests/simt/table_driven_executor.h"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>

namespace mpf::simt {
namespace {

/// Counts of nested loops and of loops beside each other in the tested programs.
struct Shapes {
  int nested = 0, beside = 0;
  void note(const LoopTree &loops) {
    for (uint32_t a = 1; a <= loops.count(); ++a) {
      nested += loops.parent(a) != 0 ? 1 : 0;
      for (uint32_t b = a + 1; b <= loops.count(); ++b)
        beside += loops.parent(a) == loops.parent(b) ? 1 : 0;
    }
  }
};

void expectSame(const Bundle &bundle, const Executor &expected, const Executor &found) {
  const double tolerance = bundle.type == ElementType::F32 ? 1e-4 : 1e-11;
  for (const BundleOutput &output : bundle.outputs) {
    const TableView a = expected.table(output.buffer), b = found.table(output.buffer);
    for (uint64_t i = 0; i < a.sizeElems; ++i) {
      if (isIntegerType(bundle.type)) {
        EXPECT_TRUE(a.whole(i) == b.whole(i)) << output.name << "[" << i << "]";
        continue;
      }
      const double x = a.log2Entry(i) + a.state.scale, y = b.log2Entry(i) + b.state.scale;
      if (std::isfinite(x) || x != y) {
        EXPECT_NEAR(x, y, tolerance) << output.name << "[" << i << "]";
      }
    }
  }
}

class SlicedPrograms : public testing::TestWithParam<ElementType> {};

TEST_P(SlicedPrograms, RunAsOnTheCpuAndWithoutFaults) {
  const ElementType type = GetParam();
  const auto program = compileTableDriven(tableDrivenSource(type, false));
  Shapes shapes;
  PipelineOptions options;
  options.plan.type = type;
  for (uint64_t seed = 1; seed <= 24 && !HasFailure(); ++seed) {
    std::mt19937_64 random(seed);
    oracle::RandomModelOptions shape;
    shape.maxExtent = static_cast<uint32_t>(2 + seed % 3);
    const Model model = oracle::randomModel(random, shape);
    constexpr QueryKind kKinds[] = {QueryKind::Evidence, QueryKind::Marginals, QueryKind::Mpe,
                                    QueryKind::Joint, QueryKind::Optimum};
    const Query query = oracle::randomQuery(random, model, kKinds[seed % 5]);
    options.forcedLog = seed % 6 == 5;
    const Bundle bundle = Pipeline(options).compileProgram(
        model, oracle::randomlySliced(random, model, query, 1 + seed / 4 % 4));
    shapes.note(bundle.loops);
    SCOPED_TRACE(fmt::format("seed {}, {} loops", seed, bundle.loops.count()));
    std::string faults;
    const auto path = kTableDrivenPaths[seed % 2];
    // Each loop gets a random number of slices side by side; every third program has only one.
    SliceReplicas replicas(bundle.sliced.size(), 1);
    for (size_t loop = 0; loop < replicas.size() && seed % 3 != 0; ++loop)
      replicas[loop] = static_cast<uint32_t>(
          1 + random() % bundle.variables[bundle.sliced[loop].index()].extent);
    const auto executor = makeTableDrivenExecutor(bundle, *program, path, faults, replicas);
    oracle::bindObserved(bundle, *executor);
    const auto cpu = oracle::runOnCpu(bundle);
    for (int run = 0; run < 2; ++run) {
      executor->run({}, {});
      EXPECT_EQ(faults, "");
      expectSame(bundle, *cpu, *executor);
      if (traitsOf(query.kind).decoding) {
        EXPECT_EQ(executor->bestSlice(), cpu->bestSlice());
      }
    }
  }
  EXPECT_GT(shapes.nested, 3);
  EXPECT_GT(shapes.beside, 0);
}

INSTANTIATE_TEST_SUITE_P(Types, SlicedPrograms, testing::Values(ElementType::F64, ElementType::F32),
                         [](const auto &instance) {
                           return std::string(elementTypeName(instance.param));
                         });
} // namespace
} // namespace mpf::simt
