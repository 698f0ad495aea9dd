// The table-driven kernels in the checker run models with values at the edges of f64. Answers are
// the exact ones, without a fault.
#include "codegen/bundle/bundle.h"
#include "codegen/emit/table_driven_source.h"
#include "runtime/execute/host/bind_input.h"
#include "runtime/execute/host/read_output.h"
#include "runtime/execute/host/sum_exponent.h"
#include "runtime/simt/simt_check.h"
#include "tests/oracle/edge/edge_compile.h"
#include "tests/oracle/edge/edge_judge.h"
#include "tests/oracle/edge/edge_models.h"
#include "tests/oracle/edge/edge_run.h"
#include "tests/simt/table_driven_executor.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace mpf::simt {
namespace {

/// Binds, runs and reads a program that was not simplified, like a session.
Result runInChecker(const Bundle &bundle, const Model &model, Executor &executor) {
  Result result;
  result.kind = bundle.kind;
  for (const HeadVariable &variable : bundle.variables)
    result.variables.push_back({variable.name, variable.extent, variable.labels});
  result.evidence = bundle.evidence;
  std::vector<std::span<const double>> values;
  std::vector<std::optional<int32_t>> greatest;
  for (const BundleInput &input : bundle.inputs) {
    const auto named = std::find_if(model.factors.begin(), model.factors.end(),
                                    [&](const Factor &f) { return f.name == input.factor; });
    values.emplace_back(input.table ? *bundle.tables[*input.table] : *named->values);
    greatest.push_back(greatestExponent(values.back()));
  }
  const int32_t exponent = hasPlainTables(bundle) ? sumExponent(bundle, greatest) : 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const BundleInput &input = bundle.inputs[i];
    executor.setInput(input.buffer, bindInput(bundle, input, values[i], bundle.evidence,
                                              executor.inputMemory(input.buffer), exponent));
  }
  executor.run({}, {});
  for (const BundleOutput &output : bundle.outputs)
    result.tables.push_back(readOutput(bundle, output, executor.table(output.buffer),
                                       result.zeroProbability, exponent));
  const std::vector<uint32_t> states = statesByVariable(bundle.evidence, bundle.variables.size());
  if (traitsOf(bundle.kind).decoding && !result.zeroProbability)
    for (std::vector<uint32_t> &found : executor.decode({states}))
      if (!found.empty())
        result.assignments.push_back({std::move(found)});
  return result;
}

class TableDrivenEdges : public testing::TestWithParam<ElementType> {};

TEST_P(TableDrivenEdges, AnswersAreExact) {
  std::mt19937_64 random(GetParam() == ElementType::F64 ? 16 : 17);
  const auto kernels = compileTableDriven(tableDrivenSource(GetParam(), false));
  size_t judged = 0;
  for (int i = 0; i < 400 && !HasFailure(); ++i) {
    oracle::EdgeCase edge = oracle::drawCase(random);
    edge.later.clear();
    edge.options = {};
    edge.options.type = GetParam();
    edge.options.forcedLog = i % 5 == 4;
    const std::vector<oracle::ExactAnswer> wanted = oracle::exactAnswers(edge);
    const oracle::EdgeVerdict onHost = oracle::runCase(edge, wanted);
    if (onHost.outcome != oracle::EdgeOutcome::Right)
      continue; // refused for a reason that does not concern the kernels
    const mpf::Program program = oracle::compileCase(edge);
    std::string faults;
    const auto executor =
        makeTableDrivenExecutor(program.bundle(), *kernels, kTableDrivenPaths[i % 3], faults);
    const Result found = runInChecker(program.bundle(), edge.model, *executor);
    EXPECT_EQ(faults, "") << oracle::describe(edge);
    EXPECT_EQ(oracle::judge(edge, 0, wanted[0], found).fault, "") << oracle::describe(edge);
    ++judged;
  }
  EXPECT_GE(judged, 300u);
}

INSTANTIATE_TEST_SUITE_P(Types, TableDrivenEdges,
                         testing::Values(ElementType::F64, ElementType::F32));

} // namespace
} // namespace mpf::simt
