// The table-driven kernels in the checker run programs over a case variable, for every kind of
// query. They give the CPU's tables and an assignment for each case, without a fault.
// tests/oracle/table_engine_test.cpp compares the CPU's tables with the definition.
#include "codegen/cases/case_axis.h"
#include "codegen/emit/table_driven_source.h"
#include "codegen/pipeline/pipeline.h"
#include "runtime/execute/host/bind_input.h"
#include "runtime/execute/host/held_states.h"
#include "runtime/simt/simt_check.h"
#include "tests/oracle/bind_observed.h"
#include "tests/oracle/models/random_models.h"
#include "tests/oracle/run_on_cpu.h"
#include "tests/simt/table_driven_executor.h"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace mpf::simt {
namespace {

/// Returns a model in which half of the variables vary. Their indicators have random entries, some
/// of them 0.
CaseModel randomCaseModel(std::mt19937_64 &random, const Model &model, const Query &query) {
  std::vector<VarId> columns;
  for (size_t i = 0; i < model.variables.size(); ++i)
    if (std::ranges::find(query.output, VarId{i}) == query.output.end() && random() % 2 == 0)
      columns.push_back(VarId{i});
  Model listed = model;
  listed.evidence =
      listedEvidence(columns, std::vector<uint32_t>(columns.size(), Evidence::kNotObserved), 1);
  CaseModel cases = withCaseAxis(listed, query, static_cast<uint32_t>(1 + random() % 5));
  for (const CaseIndicator &indicator : cases.indicators) {
    std::vector<double> entries(size_t{cases.model.variable(cases.axis).extent} *
                                model.variable(indicator.variable).extent);
    for (double &entry : entries)
      entry = static_cast<double>(random() % 3) / 2;
    cases.model.factors[indicator.factor.index()].values =
        std::make_shared<const std::vector<double>>(std::move(entries));
  }
  return cases;
}

void expectSameTables(const Bundle &bundle, const Executor &found, const Executor &wanted) {
  for (const BundleOutput &output : bundle.outputs) {
    const TableView is = found.table(output.buffer), right = wanted.table(output.buffer);
    for (uint64_t e = 0; e < right.sizeElems; ++e) {
      const double value = is.log2Entry(e) + is.state.scale;
      const double expected = right.log2Entry(e) + right.state.scale;
      if (std::isinf(expected))
        EXPECT_EQ(value, expected) << output.name << ", entry " << e;
      else
        EXPECT_NEAR(value, expected, 1e-11 * std::max(1.0, std::abs(expected)))
            << output.name << ", entry " << e;
    }
  }
}

TEST(TableDrivenCases, AreThoseOfTheCpuWithoutFaults) {
  std::mt19937_64 random(23);
  const auto kernels = compileTableDriven(tableDrivenSource(ElementType::F64, false));
  constexpr QueryKind kKinds[] = {QueryKind::Marginals, QueryKind::Mpe, QueryKind::Joint,
                                  QueryKind::Evidence};
  oracle::RandomModelOptions small;
  small.observedShare = 0;
  size_t decoded = 0, posteriors = 0;
  for (int i = 0; i < 120 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(fmt::format("model {}", i));
    const Model model = oracle::randomModel(random, small);
    const Query query = oracle::randomQuery(random, model, kKinds[i % 4]);
    const CaseModel cases = randomCaseModel(random, model, query);
    PipelineOptions options;
    options.simplify.finalTables = options.simplify.finalEvidence = i / 4 % 2 == 0;
    options.forcedLog = i % 7 == 6;
    Diagnostics warnings;
    const Bundle bundle = Pipeline(options).compile(cases.model, cases.query, warnings);
    std::string faults;
    const auto device =
        makeTableDrivenExecutor(bundle, *kernels, kTableDrivenPaths[i / 8 % 4], faults);
    oracle::bindObserved(bundle, *device);
    device->run({}, {});
    const std::unique_ptr<Executor> host = oracle::runOnCpu(bundle);
    expectSameTables(bundle, *device, *host);
    posteriors += query.kind == QueryKind::Marginals ? bundle.outputs.size() - 1 : 0;
    if (query.kind == QueryKind::Mpe) {
      const std::vector<uint32_t> starts =
          startsFrom(bundle, statesByVariable(bundle.evidence, bundle.variables.size()));
      const auto found = device->decode({starts});
      EXPECT_EQ(found.size(), cases.model.variable(cases.axis).extent);
      EXPECT_EQ(found, host->decode({starts}));
      decoded += found.size();
    }
    EXPECT_EQ(faults, "");
  }
  EXPECT_GT(decoded, 50u);
  EXPECT_GT(posteriors, 60u);
}

} // namespace
} // namespace mpf::simt
