// Tests that operations of equal shape share a kernel: planned together, each gets the kernel that
// it would get alone.
#include "codegen/specialise/form_shape.h"

#include "codegen/kernel/print_kernel.h"
#include "codegen/plan/build_program.h"
#include "codegen/specialise/kernel_choice.h"
#include "codegen/specialise/level_launches.h"
#include "dsl/model/build/build_model.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace mpf {
namespace {

constexpr double kManyRuns = std::numeric_limits<double>::infinity();

TableProgram programOf(const char *text) {
  Diagnostics diagnostics;
  const auto source = std::make_shared<const SourceBuffer>("<text>", std::string(text));
  const std::optional<Model> model = readMpf(source, diagnostics);
  return buildProgram(model.value(), model->queries.front(), {}, diagnostics);
}

/// Two operations are alike, the products with f and with g. The last one reads one table twice,
/// and is not alike.
TableProgram programOfFive() {
  return programOf(R"(
    var a, b, c, d, e, z : 24
    factor f(a, z) = 1 + a * z
    factor g(b, z) = 1 + 2 * b * z
    factor h(c, z) = 2 + c * z
    factor i(d, z) = 3 + d * z
    query total(a, b) = sum(c, d, z) f * g * h * i
  )");
}

KernelOptions optionsForTest() {
  return kernelOptionsFor({targetNamed("sm_90"), kManyRuns}, ElementType::F64, false);
}

DigitForm product(TableId left, TableId right) {
  DigitForm form;
  form.digits = {{64, false, {VarId(1)}}, {64, false, {VarId(2)}}, {64, true, {VarId(3)}}};
  form.operands = {{left, {64, 0, 1}, 4096}, {right, {0, 64, 1}, 4096}};
  form.result = {TableId(9), {64, 1, 0}, 4096};
  return form;
}

TEST(FormShape, NamesDoNotMatterAndStridesDo) {
  DigitForm form = product(TableId(0), TableId(1));
  const std::string shape = shapeOf(form);
  EXPECT_EQ(shapeOf(product(TableId(4), TableId(3))), shape);
  form.digits[0].variables = {VarId(7), VarId(8)};
  EXPECT_EQ(shapeOf(form), shape);
  std::swap(form.operands[0].stridesElems[0], form.operands[0].stridesElems[2]);
  EXPECT_NE(shapeOf(form), shape);
}

/// A table that is read twice is counted once: the floor of its kernel is lower.
TEST(FormShape, OneTableReadTwiceIsAnotherShape) {
  const DigitForm two = product(TableId(0), TableId(1)), one = product(TableId(2), TableId(2));
  EXPECT_NE(shapeOf(one), shapeOf(two));
  const std::vector<KernelPlan> plans = planKernels(std::vector{two, one}, optionsForTest());
  EXPECT_EQ(plans[0].header().floorUs, buildKernel(two, optionsForTest()).header().floorUs);
  EXPECT_EQ(plans[1].header().floorUs, buildKernel(one, optionsForTest()).header().floorUs);
}

TEST(PlanKernels, AreThoseOfEachFormAloneForAnyNumberOfThreads) {
  std::vector<DigitForm> forms;
  for (uint32_t i = 0; i < 6; ++i) {
    forms.push_back(product(TableId(i), TableId(i + 1)));
    forms.back().digits[0].variables = {VarId(10 + i)};
    if (i % 2 == 1)
      std::swap(forms.back().operands[0], forms.back().operands[1]);
  }
  for (const unsigned threads : {1U, 3U}) {
    const std::vector<KernelPlan> plans = planKernels(forms, optionsForTest(), threads);
    ASSERT_EQ(plans.size(), forms.size());
    for (size_t i = 0; i < forms.size(); ++i)
      EXPECT_EQ(printKernel(plans[i]), printKernel(buildKernel(forms[i], optionsForTest()))) << i;
  }
}

TEST(PlannedKernels, RemembersShapesOfTheFirstOptions) {
  PlannedKernels planned;
  DigitForm form = product(TableId(0), TableId(1));
  const KernelOptions options = optionsForTest();
  const auto first = planned.of(form, options);
  EXPECT_EQ(printKernel(*first), printKernel(buildKernel(withoutVariables(form), options)));
  form.operands[0].table = TableId(7); // names do not matter
  EXPECT_EQ(planned.of(form, options), first);
  EXPECT_EQ(planned.count(), 1u) << "that one was planned, and then known";
  EXPECT_NE(planned.of(product(TableId(2), TableId(2)), options), first);
  EXPECT_EQ(planned.count(), 2u);
  KernelOptions other = options;
  other.type = ElementType::F32;
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(printKernel(*planned.of(form, other)),
              printKernel(buildKernel(withoutVariables(form), other)));
  EXPECT_EQ(planned.of(form, options), first);
}

TEST(PlannedKernels, GivesEachFormItsOwnTables) {
  PlannedKernels planned;
  planned.of(product(TableId(0), TableId(1)), optionsForTest());
  const std::vector<DigitForm> forms = {product(TableId(4), TableId(5))};
  const std::vector<KernelPlan> plans = planKernels(forms, optionsForTest(), 1, &planned);
  EXPECT_EQ(printKernel(plans[0]), printKernel(buildKernel(forms[0], optionsForTest())));
}

std::vector<double> launchesOf(const TableProgram &program) {
  return levelLaunchUs(program, levelsOfOperations(program));
}

TEST(ChooseKernels, OneForEachOperationInItsOrder) {
  const TableProgram program = programOfFive();
  std::vector<OpId> operations;
  for (size_t i = program.operations.size(); i-- > 0;)
    operations.emplace_back(i);
  ASSERT_GE(operations.size(), 2u);
  for (const double runs : {0.0, kManyRuns}) {
    const std::vector<KernelChoice> choices =
        chooseKernels(program, operations, optionsForTest(), {runs, runs});
    ASSERT_EQ(choices.size(), operations.size());
    for (size_t i = 0; i < choices.size(); ++i) {
      const DigitForm form = kernelForm(program, operations[i]);
      EXPECT_EQ(choices[i].tableDrivenUs,
                tableDrivenUs(form, ElementType::F64, targetNamed("sm_90")) +
                    launchesOf(program)[operations[i].index()]);
      const KernelPlan alone = buildKernel(form, optionsForTest());
      ASSERT_EQ(choices[i].kernel.has_value(), runs != 0); // infinity specialises everything
      if (choices[i].kernel) {
        EXPECT_EQ(choices[i].timeUs(), ownKernelUs(choices[i].kernel->header()));
        EXPECT_EQ(printKernel(*choices[i].kernel, &program), printKernel(alone, &program));
      }
    }
  }
}

/// Compiling pays in any case. Planning pays if an operation takes 40 ms in all runs of the
/// process, or if the kernel is known.
TEST(ChooseKernels, PlansNoneThatTheRunsOfTheProcessDoNotPayFor) {
  const TableProgram program = programOf(R"(
    var a, b, z : 1024
    factor f(a, z) = 1 + a * z
    factor g(b, z) = 1 + 2 * b * z
    query total(a, b) = sum(z) f * g
  )");
  const std::vector<OpId> operations = {OpId(0)};
  const auto kernelOf = [&](double planningRuns, PlannedKernels &planned) {
    return chooseKernels(program, operations, optionsForTest(), {kManyRuns, planningRuns}, 1,
                         &planned)
        .front();
  };
  PlannedKernels planned;
  const KernelChoice choice = kernelOf(1, planned);
  EXPECT_FALSE(choice.kernel);
  const double payingRuns = 2 * kKernelPlanUs / choice.tableDrivenUs;
  EXPECT_FALSE(kernelOf(0.99 * payingRuns, planned).kernel);
  EXPECT_TRUE(kernelOf(1.01 * payingRuns, planned).kernel);
  EXPECT_TRUE(kernelOf(1, planned).kernel) << "it is known by now";
}

/// Compiling the kernels of a program takes at most a fifth of what they are predicted to save in
/// all runs. With many runs, some are compiled.
TEST(ChooseKernels, CompilesNoneThatSaveLessThanFiveTimesTheirCompiling) {
  const TableProgram program = programOf(R"(
    var a, b : 512
    var c : 4096
    var d, e : 96
    var z : 256
    factor f(a, z) = 1 + a * z
    factor g(b, z) = 1 + 2 * b * z
    factor h(c, d) = 2 + c * d
    factor i(d, e) = 3 + d * e
    factor k(e, z) = 1 + e + z
    query total(a, b) = sum(c, d, e, z) f * g * h * i * k
  )");
  std::vector<OpId> operations;
  for (size_t i = 0; i < program.operations.size(); ++i)
    operations.emplace_back(i);
  size_t most = 0, fewest = operations.size();
  for (double runs = 100; runs < 1e8; runs *= 1.7) {
    KernelOptions options = optionsForTest();
    options.expectedRuns = runs;
    double savedUs = 0, compilingUs = 0;
    size_t kernels = 0;
    for (const KernelChoice &choice :
         chooseKernels(program, operations, options, {runs, kManyRuns}))
      if (choice.kernel) {
        ++kernels;
        compilingUs += kKernelCompileUs;
        savedUs += runs * (choice.tableDrivenUs - ownKernelUs(choice.kernel->header()));
      }
    EXPECT_LE(compilingUs, 0.2 * savedUs) << runs;
    most = std::max(most, kernels);
    fewest = std::min(fewest, kernels);
  }
  EXPECT_EQ(fewest, 0u);
  EXPECT_GE(most, 1u);
}

/// A level splits an operation until its threads have few addresses left or the device is full.
TEST(TableDrivenUs, CountsTheStretchOfAThread) {
  const Target target = targetNamed("sm_90");
  const auto timeUs = [&](uint64_t results, uint64_t terms) {
    DigitForm form;
    form.digits = {{results, false, {VarId(1)}}, {terms, true, {VarId(2)}}};
    form.operands = {{TableId(0), {terms, 1}, results * terms}, {TableId(1), {0, 1}, terms}};
    form.result = {TableId(2), {1, 0}, results};
    return tableDrivenUs(form, ElementType::F64, target);
  };
  EXPECT_LT(timeUs(1, 1), timeUs(1, 16384));
  EXPECT_DOUBLE_EQ(timeUs(256, 128), timeUs(256, 8)); // spread over more blocks
  EXPECT_LT(timeUs(1, 32768), 8);
  EXPECT_NEAR(timeUs(1, 1 << 28) / timeUs(1, 1 << 26), 4, 0.1);
}

/// Loads of a warp that touch many lines cost more if there are many of them. Few loads do not,
/// because threads wait for each load longer than the lines take.
TEST(TableDrivenUs, CountsTheLinesOfAWarp) {
  const Target target = targetNamed("sm_90");
  const auto timeUs = [&](uint64_t outputStride, uint64_t termStride) {
    DigitForm form;
    form.digits = {{1 << 16, false, {VarId(1)}}, {256, true, {VarId(2)}}};
    form.operands.assign(8, {TableId(0), {outputStride, termStride}, 1 << 16});
    form.result = {TableId(2), {1, 0}, 1 << 16};
    return tableDrivenUs(form, ElementType::F64, target);
  };
  EXPECT_GT(timeUs(256, 1), 1.2 * timeUs(1, 1 << 16));
}

/// Operations of several blocks share the launch of their level; small ones need none.
TEST(LevelLaunches, AreSharedByTheLargeOperationsOfALevel) {
  TableProgram program = programOfFive();
  for (Operation &operation : program.operations)
    operation.cost.addressCount = 16;
  for (const double us : launchesOf(program))
    EXPECT_EQ(us, 0);
  program.operations[0].cost.addressCount = 1 << 20;
  const double alone = launchesOf(program)[0];
  EXPECT_GT(alone, 0);
  for (Operation &operation : program.operations)
    operation.cost.addressCount = 1 << 20;
  const std::vector<double> all = launchesOf(program);
  double launches = 0;
  for (const double us : all)
    launches += us / alone;
  EXPECT_NEAR(launches, std::round(launches), 1e-9); // one for each level
  EXPECT_LE(launches, static_cast<double>(program.operations.size()));
}

/// Long sums of few results are shared by fewer blocks than the device has, because the parts must
/// be added up.
TEST(TableDrivenUs, CountsTheTermsOfAPartOfASum) {
  const auto timeUs = [&](uint64_t results, uint64_t terms) {
    DigitForm form;
    form.digits = {{results, false, {VarId(1)}}, {terms, true, {VarId(2)}}};
    form.operands = {{TableId(0), {terms, 1}, results * terms}};
    form.result = {TableId(2), {1, 0}, results};
    return tableDrivenUs(form, ElementType::F64, targetNamed("sm_90"));
  };
  EXPECT_GT(timeUs(2, 1 << 16), 2 * timeUs(1 << 9, 1 << 8)); // of as many addresses
  EXPECT_LT(timeUs(2, 1 << 16), 8 * timeUs(2, 1 << 12));     // of 16 times as many
}

} // namespace
} // namespace mpf
