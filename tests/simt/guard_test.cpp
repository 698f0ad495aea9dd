// The guard in the checker: it decides like LinearAssumption::held.
#include "runtime/execute/gpu/gpu_guard.h"
#include "runtime/schedule/launches/build_launch_plan.h"
#include "runtime/simt/simt_check.h"
#include "tests/oracle/bundle_builder.h"
#include "tests/simt/launch_program.h"

#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <span>
#include <vector>

namespace mpf::simt {
namespace {

/// Returns a bundle with products of two and of three tables with kernels, and table-driven results
/// that are so large that levels leave them in logarithms.
Bundle assumingBundle(ElementType type, uint32_t products) {
  constexpr Semiring kSum{Reduce::Sum, Combine::Times};
  oracle::BundleBuilder build(type);
  const VarId a = build.variable(160), b = build.variable(128), c = build.variable(8);
  const BufferId wide = build.input({a}, std::vector<double>(160, 1));
  BufferId last = build.input({c}, std::vector<double>(8, 1));
  std::vector<uint32_t> own;
  for (uint32_t i = 0; i < products; ++i) {
    const BufferId factor = build.input({c}, std::vector<double>(8, 1));
    own.push_back(static_cast<uint32_t>(build.bundle().operations.size()));
    std::vector<BufferId> operands = {factor, last};
    if (i % 2 != 0)
      operands.push_back(factor);
    last = build.operation(kSum, operands, {c});
    build.output(
        build.operation(kSum, {wide, last, build.input({b}, std::vector<double>(128, 1))}, {a, b}));
  }
  Bundle bundle = build.finish();
  for (const uint32_t operation : own)
    bundle.operations[operation].kernel = 0;
  bundle.kernels.emplace_back().name = "own";
  bundle.tableDriven = 1;
  bundle.kernels.emplace_back().name = "table_driven";
  return bundle;
}

class Guards : public testing::TestWithParam<ElementType> {
protected:
  void make(uint32_t products) {
    bundle_ = assumingBundle(GetParam(), products);
    LaunchOptions options;
    for (size_t i = 0; i < bundle_.buffers.size(); ++i)
      options.inputStates.push_back({0, -1022, 1023, 0});
    options.assumesLinear = true;
    options.hostLooks = false;
    assumption_ = LinearAssumption(bundle_, buildLaunchPlan(bundle_, options));
    ASSERT_EQ(assumption_.products().size(), products);
    ASSERT_EQ(assumption_.linear().size(), products);
  }

  /// Returns states for which linear arithmetic loses nothing.
  std::vector<TableState> quietStates() const {
    return std::vector<TableState>(bundle_.buffers.size(), TableState{3, -2, 2, 0});
  }

  /// Returns the condition that the guard sets.
  unsigned guard(std::vector<TableState> states, const int *brokenInSlices = nullptr) {
    static const LaunchEntry kKernels[] = {{"mpf_guard", "MpfGuardLaunch"}};
    static std::unique_ptr<Program> programs[2];
    std::unique_ptr<Program> &program = programs[GetParam() == ElementType::F32 ? 0 : 1];
    if (!program)
      program = makeLaunchProgram(guardSource(GetParam()), kKernels);
    AssumedProducts assumed;
    for (const LinearAssumption::Product &product : assumption_.products())
      assumed.add(product);
    std::vector<uint32_t> linear = assumption_.linear();
    std::vector<int> broken = {brokenInSlices != nullptr ? *brokenInSlices : 0};
    std::vector<unsigned> condition = {7};
    GpuGuardLaunch launch;
    launch.productCount = static_cast<int32_t>(assumed.products.size());
    launch.linearCount = static_cast<int32_t>(linear.size());
    std::vector<GpuGuardLaunch> launches = {launch};
    std::vector<Buffer> buffers = {{"launch", bytesOf(launches), false, true},
                                   {"products", bytesOf(assumed.products), false, true},
                                   {"operands", bytesOf(assumed.operands), false, true},
                                   {"linear", bytesOf(linear), false, true},
                                   {"states", bytesOf(states), false, true},
                                   {"broken", bytesOf(broken), false, true},
                                   {"condition", bytesOf(condition)}};
    Launch shape;
    shape.blockThreads = kGuardThreads;
    for (size_t p = 0; p < 6; ++p) // pointers in the order of the struct
      if (p != 4 || brokenInSlices != nullptr)
        shape.pointers.push_back({0, p * sizeof(uint64_t), p + 1});
    const std::vector<Argument> arguments = {Argument::buffer(0)};
    EXPECT_EQ(program->run("test_mpf_guard", shape, buffers, arguments).faultText(), "");
    return condition[0];
  }

  Bundle bundle_;
  LinearAssumption assumption_;
};

TEST_P(Guards, DecideAsTheHost) {
  make(20);
  const int edge = GetParam() == ElementType::F32 ? 126 : 1022;
  std::mt19937 random(7);
  const auto upTo = [&](int most) {
    return static_cast<int>(random() % static_cast<unsigned>(most));
  };
  int held = 0, broken = 0;
  for (int trial = 0; trial < 150; ++trial) {
    std::vector<TableState> states = quietStates();
    for (int changes = upTo(4); changes > 0; --changes) {
      TableState &state = states[static_cast<size_t>(upTo(static_cast<int>(states.size())))];
      switch (upTo(4)) {
      case 0: // near the limit of a product of two
        state.minExponent = -edge / 2 + upTo(12) - 4;
        break;
      case 1:
        state.maxExponent = edge / 2 + upTo(12) - 8;
        break;
      case 2:
        state = TableState{}; // all zero
        break;
      default:
        state.form = 1;
      }
    }
    const bool holds = assumption_.held(states);
    (holds ? held : broken) += 1;
    ASSERT_EQ(guard(states), holds ? 0u : 1u) << trial;
  }
  EXPECT_GT(held, 30);
  EXPECT_GT(broken, 30);
}

TEST_P(Guards, SeeEveryProductAndTable) {
  make(1500); // more products than threads
  EXPECT_EQ(guard(quietStates()), 0u);
  for (const size_t i : {size_t{0}, size_t{1023}, size_t{1024}, size_t{1499}}) {
    std::vector<TableState> states = quietStates();
    const uint32_t operation = assumption_.products()[i].operation;
    states[bundle_.operations[operation].operands[0].buffer.index()].minExponent = -5000;
    EXPECT_EQ(guard(states), 1u) << i;
    states = quietStates();
    states[assumption_.linear()[i]].form = 1;
    EXPECT_EQ(guard(states), 1u) << i;
  }
}

TEST_P(Guards, TakeWhatSlicesHaveNoted) {
  make(2);
  const int no = 0, yes = 1;
  EXPECT_EQ(guard(quietStates(), &no), 0u);
  EXPECT_EQ(guard(quietStates(), &yes), 1u);
}

INSTANTIATE_TEST_SUITE_P(Reals, Guards, testing::Values(ElementType::F32, ElementType::F64),
                         [](const auto &instance) {
                           return std::string(elementTypeName(instance.param));
                         });

} // namespace
} // namespace mpf::simt
