// Chains of whole programs in the checker, planned as mpfc plans them, with a threshold that allows
// small chains. Each kernel writes the result that the program's definition gives for its last
// operation.
#include "codegen/bundle/chain_tables.h"
#include "codegen/kernel/build/build_chain.h"
#include "codegen/pipeline/pipeline.h"
#include "codegen/plan/build_program.h"
#include "codegen/specialise/device_costs.h"
#include "codegen/specialise/specialise_options.h"
#include "runtime/simt/kernel_run.h"
#include "tests/oracle/brute/evaluate_program.h"
#include "tests/oracle/models/sweep_models.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace mpf::simt {
namespace {

const SpecialiseOptions kEverything{targetNamed("sm_90"), std::numeric_limits<double>::infinity()};

/// A chain and its program.
struct ProgramKernel {
  size_t program = 0;
  ProgramChain chain;
  ChainForm form;
};

class ProgramChains : public testing::TestWithParam<ElementType> {
protected:
  /// Expects that the arguments of the launch are the tables of the form, in its order.
  void expectArguments(const Bundle &bundle, const BundleChain &marked, const ChainForm &form,
                       const TableProgram &program) {
    const auto name = [&](const DigitAccess &access) { return program.table(access.table).name; };
    const auto operands = chainOperands(bundle, marked);
    ASSERT_EQ(operands.size(), form.factors.size() + 1);
    EXPECT_EQ(bundle.buffer(operands[0]->buffer).name, name(form.message));
    for (size_t f = 0; f < form.factors.size(); ++f)
      EXPECT_EQ(bundle.buffer(operands[f + 1]->buffer).name, name(form.factors[f]));
    EXPECT_EQ(bundle.buffer(chainResult(bundle, marked).buffer).name, name(form.result));
  }

  void addProgram(std::mt19937_64 &random) {
    oracle::SweepModelOptions shape;
    shape.rows = 7 + random() % 4;
    shape.maxExtent = shape.rows < 9 ? 3 : 2;
    shape.zeroShare = 0; // no zeros, because ratios are compared
    const Model model = oracle::sweepModel(random, shape);
    PipelineOptions options;
    options.plan.type = GetParam();
    options.gpu = kEverything;
    const auto times = makeDeviceCosts(kEverything, GetParam(), false);
    options.plan.deviceCosts = times.get();
    Diagnostics diagnostics;
    const TableProgram program =
        buildProgram(model, model.queries.front(), options.plan, diagnostics);
    const Bundle bundle = Pipeline(options).compileProgram(model, program);
    ASSERT_LE(bundle.chains.size(), program.chains.size());
    ChainOptions chainOptions;
    chainOptions.target = kEverything.target;
    chainOptions.type = GetParam();
    for (const ProgramChain &chain : program.chains) {
      // Some candidate chains do not pay, once their kernel is known.
      const std::string &name = program.table(program.operation(chain.first).result).name;
      const auto marked = std::find_if(bundle.chains.begin(), bundle.chains.end(),
                                       [&](const BundleChain &candidate) {
                                         return bundle.operations[candidate.first].name == name;
                                       });
      if (marked == bundle.chains.end())
        continue;
      const auto form = findChainForm(program, chain.message, chain.operations());
      ASSERT_TRUE(form);
      expectArguments(bundle, *marked, *form, program);
      auto plan = buildChain(*form, chainOptions);
      ASSERT_TRUE(plan);
      EXPECT_EQ(bundle.kernels[marked->kernel].name, plan->name);
      plan->name += fmt::format("_{}", kernels_.size());
      kernels_.push_back(testKernel(*plan));
      places_.push_back({values_.size(), chain, *form});
    }
    values_.push_back(oracle::evaluateProgram(model, program));
  }

  KernelTable tableOf(const ProgramKernel &place, const DigitAccess &access) const {
    const auto &exact = values_[place.program].tables[access.table.index()];
    return KernelTable::linear({exact.begin(), exact.end()}, GetParam());
  }

  void check() {
    KernelSuite suite(std::move(kernels_));
    for (size_t k = 0; k < places_.size(); ++k) {
      const ProgramKernel &place = places_[k];
      std::vector<KernelTable> tables{tableOf(place, place.form.message)};
      for (const DigitAccess &factor : place.form.factors)
        tables.push_back(tableOf(place, factor));
      const KernelRun run = suite.run(k, tables);
      ASSERT_EQ(run.report.faultText(), "");
      const auto &expected = values_[place.program].tables[place.form.result.table.index()];
      const std::vector<long double> values = run.result.values();
      ASSERT_EQ(values.size(), expected.size());
      const double tolerance = GetParam() == ElementType::F32 ? 1e-5 : 1e-13;
      for (size_t i = 0; i < values.size(); ++i)
        ASSERT_NEAR(static_cast<double>(values[i] / expected[i]), 1, tolerance) << k << " " << i;
    }
  }

  std::vector<TestKernel> kernels_;
  std::vector<ProgramKernel> places_;
  std::vector<oracle::EvaluatedProgram> values_;
};

TEST_P(ProgramChains, WriteWhatTheirLastOperationGives) {
  std::mt19937_64 random(GetParam() == ElementType::F32 ? 3 : 4);
  for (int i = 0; i < 8 && !HasFatalFailure(); ++i)
    addProgram(random);
  EXPECT_GE(kernels_.size(), 4u);
  check();
}

INSTANTIATE_TEST_SUITE_P(Types, ProgramChains, testing::Values(ElementType::F32, ElementType::F64));

} // namespace
} // namespace mpf::simt
