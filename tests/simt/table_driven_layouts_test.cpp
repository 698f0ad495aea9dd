// The table-driven kernels in the checker run whole programs whose tables have random storage
// orders. Answers and best assignments are those of the definition, without a fault.
#include "codegen/emit/table_driven_source.h"
#include "codegen/plan/build_program.h"
#include "codegen/specialise/build_bundle.h"
#include "runtime/execute/host/read_output.h"
#include "runtime/simt/simt_check.h"
#include "tests/oracle/bind_observed.h"
#include "tests/oracle/brute/model_brute_force.h"
#include "tests/oracle/models/random_layouts.h"
#include "tests/oracle/models/random_models.h"
#include "tests/simt/table_driven_executor.h"

#include <cmath>
#include <gtest/gtest.h>

namespace mpf::simt {
namespace {

/// Compares a result with the definition. Both are row-major over the requested scope.
void expectTable(const ResultTable &table, const oracle::BruteTable &expected) {
  if (table.entries.empty())
    return; // a posterior that does not exist
  ASSERT_EQ(table.entries.size(), expected.values.size());
  for (uint64_t i = 0; i < table.entries.size(); ++i) {
    const auto want = static_cast<double>(expected.values[i]);
    EXPECT_NEAR(table.at(i).value().value_or(0), want, 1e-11 * want) << table.name << i;
  }
}

TEST(TableDrivenLayouts, ProgramsAnswerAsDefined) {
  std::mt19937_64 random(41);
  const auto kernels = compileTableDriven(tableDrivenSource(ElementType::F64, false));
  size_t laidOut = 0;
  for (int i = 0; i < 24 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const Model model = oracle::randomModel(random, {});
    constexpr QueryKind kKinds[] = {QueryKind::Evidence, QueryKind::Joint, QueryKind::Mpe,
                                    QueryKind::Marginals};
    const Query query = oracle::randomQuery(random, model, kKinds[i % 4]);
    PlanOptions options;
    options.finalTables = i % 2 == 0;
    Diagnostics diagnostics;
    TableProgram program = buildProgram(model, query, options, diagnostics);
    laidOut += oracle::layOutRandomly(random, program);
    const Bundle bundle = buildBundle(model, program, {ElementType::F64, i % 5 == 4});
    std::string faults;
    const auto executor =
        makeTableDrivenExecutor(bundle, *kernels, kTableDrivenPaths[i / 4 % 3], faults);
    oracle::bindObserved(bundle, *executor);
    executor->run({}, {});
    EXPECT_EQ(faults, "");
    const oracle::BruteAnswer expected = oracle::bruteForce(model, query);
    bool zero = false;
    for (const BundleOutput &output : bundle.outputs)
      expectTable(readOutput(bundle, output, executor->table(output.buffer), zero),
                  expected.tables.at(output.name));
    if (query.kind != QueryKind::Mpe || expected.best == 0)
      continue;
    const std::vector<uint32_t> given = statesByVariable(bundle.evidence, bundle.variables.size());
    const auto found = executor->decode({given});
    ASSERT_EQ(found.size(), 1u);
    const auto best = static_cast<double>(expected.best);
    EXPECT_NEAR(static_cast<double>(oracle::productAt(model, query, found[0])), best, 1e-11 * best);
  }
  EXPECT_GE(laidOut, 20u);
}

} // namespace
} // namespace mpf::simt
