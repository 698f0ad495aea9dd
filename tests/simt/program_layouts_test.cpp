// Kernels of programs whose tables have random storage orders, in the checker. Single operations,
// split sums and chains write the results of the program's definition, each entry in its place.
#include "codegen/kernel/build/build_chain.h"
#include "codegen/kernel/build_kernel.h"
#include "codegen/plan/build_program.h"
#include "codegen/plan/program/program_edit.h"
#include "codegen/plan/program/storage_order.h"
#include "codegen/specialise/device_costs.h"
#include "codegen/specialise/kernel_choice.h"
#include "codegen/specialise/specialise_options.h"
#include "runtime/simt/kernel_run.h"
#include "tests/oracle/brute/evaluate_program.h"
#include "tests/oracle/models/cut_everywhere.h"
#include "tests/oracle/models/random_layouts.h"
#include "tests/oracle/models/random_models.h"
#include "tests/oracle/models/sweep_models.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace mpf::simt {
namespace {

/// Returns the entries of a table in storage order, from entries that are row-major over its scope.
std::vector<double> storedEntries(const TableProgram &program, TableId id,
                                  const std::vector<long double> &inScope) {
  const std::vector<VarId> &scope = program.table(id).scope;
  const std::vector<VarId> order = storageOrder(program, id);
  const auto extent = [&](VarId v) { return program.variables[v.index()].extent; };
  std::vector<uint64_t> strides(scope.size()); // strides in storage order
  for (size_t i = 0; i < scope.size(); ++i) {
    const auto at = std::find(order.begin(), order.end(), scope[i]);
    strides[i] = programElems(program, {at + 1, order.end()});
  }
  const uint64_t elems = programElems(program, scope);
  std::vector<double> stored(inScope.size());
  for (uint64_t i = 0; i < inScope.size(); ++i) {
    uint64_t rest = i % elems, to = i - rest;
    for (size_t v = scope.size(); v-- > 0; rest /= extent(scope[v]))
      to += rest % extent(scope[v]) * strides[v];
    stored[to] = static_cast<double>(inScope[i]);
  }
  return stored;
}

class ProgramLayouts : public testing::TestWithParam<ElementType> {
protected:
  struct Place {
    size_t program = 0;
    std::vector<TableId> operands;
    TableId result;
  };
  struct Evaluated {
    TableProgram program;
    oracle::EvaluatedProgram values;
  };

  KernelOptions kernelOptions() const {
    return kernelOptionsFor({targetNamed("sm_90"), std::numeric_limits<double>::infinity()},
                            GetParam(), false);
  }

  void add(KernelPlan plan, const Place &place) {
    plan.header().name += fmt::format("_{}", kernels_.size()); // equal kernels need different names
    kernels_.push_back(testKernel(plan));
    places_.push_back(place);
  }

  /// Adds a few operations of one program.
  void addOperations(std::mt19937_64 &random, size_t number) {
    oracle::RandomModelOptions shape;
    shape.maxExtent = 6;
    shape.zeroShare = 0; // no zeros, because ratios are compared
    const Model model = oracle::randomModel(random, shape);
    constexpr QueryKind kKinds[] = {QueryKind::Evidence, QueryKind::Marginals, QueryKind::Mpe};
    const Query query = oracle::randomQuery(random, model, kKinds[number % 3]);
    PlanOptions options;
    options.type = GetParam();
    options.finalTables = number % 2 == 0;
    oracle::CutEverywhere parts(number);
    options.deviceCosts = number % 4 == 0 ? &parts : nullptr;
    Diagnostics diagnostics;
    TableProgram program = buildProgram(model, query, options, diagnostics);
    oracle::layOutRandomly(random, program);
    std::vector<OpId> run = operationsRun(program);
    std::stable_sort(run.begin(), run.end(), [&program](OpId a, OpId b) {
      return program.operation(a).cost.addressCount > program.operation(b).cost.addressCount;
    });
    run.resize(std::min<size_t>(run.size(), 3));
    for (const OpId id : run) {
      const Operation &operation = program.operation(id);
      add(buildKernel(kernelForm(program, id), kernelOptions()),
          {programs_.size(), operation.operands, operation.result});
    }
    programs_.push_back({program, oracle::evaluateProgram(model, program)});
  }

  void addChains(std::mt19937_64 &random) {
    oracle::SweepModelOptions shape;
    shape.rows = 7 + static_cast<uint32_t>(random() % 3);
    shape.maxExtent = 3;
    shape.zeroShare = 0;
    const Model model = oracle::sweepModel(random, shape);
    const SpecialiseOptions everything{targetNamed("sm_90"),
                                       std::numeric_limits<double>::infinity()};
    const auto times = makeDeviceCosts(everything, GetParam(), false);
    PlanOptions options;
    options.type = GetParam();
    options.deviceCosts = times.get();
    Diagnostics diagnostics;
    TableProgram program = buildProgram(model, model.queries.front(), options, diagnostics);
    oracle::layOutRandomly(random, program);
    for (const ProgramChain &chain : program.chains) {
      const auto form = findChainForm(program, chain.message, chain.operations());
      ASSERT_TRUE(form);
      const auto plan = buildChain(*form, chainOptionsFor(kernelOptions()));
      if (!plan)
        continue; // no page of this layout fits
      Place place{programs_.size(), {form->message.table}, form->result.table};
      for (const DigitAccess &factor : form->factors)
        place.operands.push_back(factor.table);
      add(*plan, place);
    }
    programs_.push_back({program, oracle::evaluateProgram(model, program)});
  }

  std::vector<double> entriesOf(const Place &place, TableId id) const {
    const Evaluated &of = programs_[place.program];
    return storedEntries(of.program, id, of.values.tables[id.index()]);
  }

  void check() {
    KernelSuite suite(std::move(kernels_));
    for (size_t k = 0; k < places_.size(); ++k) {
      const Place &place = places_[k];
      std::vector<KernelTable> tables;
      for (const TableId id : place.operands)
        tables.push_back(KernelTable::linear(entriesOf(place, id), GetParam()));
      const KernelRun run = suite.run(k, tables);
      ASSERT_EQ(run.report.faultText(), "") << k;
      const std::vector<double> expected = entriesOf(place, place.result);
      const std::vector<long double> values = run.result.values();
      ASSERT_EQ(values.size(), expected.size());
      const double tolerance = GetParam() == ElementType::F32 ? 1e-5 : 1e-13;
      for (size_t i = 0; i < values.size(); ++i)
        ASSERT_NEAR(static_cast<double>(values[i]), expected[i], tolerance * expected[i])
            << k << " " << i;
    }
  }

  std::vector<TestKernel> kernels_;
  std::vector<Place> places_; ///< by kernel
  std::vector<Evaluated> programs_;
};

TEST_P(ProgramLayouts, OperationsWriteEachEntryInItsPlace) {
  std::mt19937_64 random(GetParam() == ElementType::F32 ? 7 : 8);
  for (size_t i = 0; i < 16; ++i)
    addOperations(random, i);
  EXPECT_GE(kernels_.size(), 30u);
  check();
}

TEST_P(ProgramLayouts, ChainsWriteEachEntryInItsPlace) {
  std::mt19937_64 random(GetParam() == ElementType::F32 ? 9 : 10);
  for (int i = 0; i < 5 && !HasFatalFailure(); ++i)
    addChains(random);
  EXPECT_GE(kernels_.size(), 2u);
  check();
}

INSTANTIATE_TEST_SUITE_P(Types, ProgramLayouts,
                         testing::Values(ElementType::F32, ElementType::F64));

} // namespace
} // namespace mpf::simt
