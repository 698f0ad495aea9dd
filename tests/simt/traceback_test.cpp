// Best assignments in the checker: the traceback kernel finds the host's assignments from the same
// tables, without a fault.
#include "codegen/emit/table_driven_source.h"
#include "dsl/support/error.h"
#include "runtime/execute/host/decode_tables.h"
#include "runtime/execute/host/held_states.h"
#include "runtime/simt/simt_check.h"
#include "tests/oracle/bind_observed.h"
#include "tests/oracle/bundle_builder.h"
#include "tests/simt/table_driven_executor.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace mpf::simt {
namespace {

/// Returns max (min) over a, b, c of f(a, b) g(b, c) h(c, a); a is eliminated first, then b, then
/// c.
Bundle chainOfThree(ElementType type, Semiring semiring, uint64_t seed) {
  std::mt19937_64 random(seed);
  oracle::BundleBuilder builder(type);
  const VarId a = builder.variable(300), b = builder.variable(3), c = builder.variable(7);
  const auto input = [&](std::vector<VarId> scope) {
    size_t elems = 1;
    for (const VarId id : scope)
      elems *= builder.extent(id);
    std::vector<double> values(elems);
    for (double &value : values) // few different values: ties and zeros
      value = static_cast<double>(random() % 6);
    return builder.input(std::move(scope), std::move(values));
  };
  const BufferId f = input({a, b}), g = input({b, c}), h = input({c, a});
  const BufferId overA = builder.operation(semiring, {f, h}, {b, c});
  const BufferId overB = builder.operation(semiring, {overA, g}, {c});
  const BufferId all = builder.operation(semiring, {overB}, {});
  builder.output(all);
  const auto table = [&](BufferId id) { return BundleTraceback::Table{id, builder.scope(id)}; };
  builder.bundle().kind = QueryKind::Mpe;
  builder.bundle().traceback = {
      {c, {table(overB)}}, {b, {table(overA), table(g)}}, {a, {table(f), table(h)}}};
  return builder.finish();
}

/// Returns max (min) over a, b, c of f(a, b) g(b, c) h(c, a); a and b are eliminated together, then
/// c.
Bundle jointPair(ElementType type, Semiring semiring, uint64_t seed) {
  std::mt19937_64 random(seed);
  oracle::BundleBuilder builder(type);
  const VarId a = builder.variable(90), b = builder.variable(3), c = builder.variable(5);
  const auto input = [&](std::vector<VarId> scope) {
    size_t elems = 1;
    for (const VarId id : scope)
      elems *= builder.extent(id);
    std::vector<double> values(elems);
    for (double &value : values)
      value = static_cast<double>(random() % 6);
    return builder.input(std::move(scope), std::move(values));
  };
  const BufferId f = input({a, b}), g = input({b, c}), h = input({c, a});
  const BufferId overBoth = builder.operation(semiring, {f, g, h}, {c});
  builder.output(builder.operation(semiring, {overBoth}, {}));
  const auto table = [&](BufferId id) { return BundleTraceback::Table{id, builder.scope(id)}; };
  const std::vector<BundleTraceback::Table> joint = {table(f), table(g), table(h)};
  builder.bundle().kind = QueryKind::Mpe;
  builder.bundle().traceback = {{c, {table(overBoth)}}, {b, joint}, {a, joint}};
  return builder.finish();
}

using TracebackCase = std::tuple<ElementType, Semiring>;
class Traceback : public testing::TestWithParam<TracebackCase> {};

TEST_P(Traceback, FindsWhatTheHostFinds) {
  const auto [type, semiring] = GetParam();
  const auto program = compileTableDriven(tableDrivenSource(type, false), !isIntegerType(type));
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    const Bundle bundle = chainOfThree(type, semiring, seed);
    std::string faults;
    const auto executor = makeTableDrivenExecutor(bundle, *program, TableDrivenPath::Level, faults);
    oracle::bindObserved(bundle, *executor);
    executor->run({}, {});
    const std::vector<uint32_t> given(bundle.variables.size(), 0);
    const auto found = executor->decode({given});
    EXPECT_EQ(found.size(), 1u);
    EXPECT_EQ(faults, "") << "seed " << seed;
    EXPECT_EQ(found, decodeTables(bundle, *executor, {given})) << "seed " << seed;
  }
}

/// Tests that a choice at the best state of an open variable stays consistent with that state.
TEST_P(Traceback, ChoosesAtTheBestOfOpenVariables) {
  const auto [type, semiring] = GetParam();
  const auto program = compileTableDriven(tableDrivenSource(type, false), !isIntegerType(type));
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    const Bundle bundle = jointPair(type, semiring, seed);
    std::string faults;
    const auto executor = makeTableDrivenExecutor(bundle, *program, TableDrivenPath::Level, faults);
    oracle::bindObserved(bundle, *executor);
    executor->run({}, {});
    const std::vector<uint32_t> given(bundle.variables.size(), 0);
    const auto found = executor->decode({given});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(faults, "") << "seed " << seed;
    EXPECT_EQ(found, decodeTables(bundle, *executor, {given})) << "seed " << seed;
    if (found.front().empty())
      continue;
    const auto valueAt = [&](const std::vector<uint32_t> &at) {
      double value = semiring.combine == Combine::Times ? 1 : 0;
      for (const BundleTraceback::Table &table : bundle.traceback.back().tables) {
        uint64_t place = 0;
        for (const VarId id : table.layout)
          place = place * bundle.variables[id.index()].extent + at[id.index()];
        const double entry = executor->table(table.buffer).entry(place);
        value = semiring.combine == Combine::Times ? value * entry : value + entry;
      }
      return value;
    };
    const double sign = semiring.reduce == Reduce::Max ? 1 : -1, best = sign * valueAt(found[0]);
    for (uint32_t i = 0; i < 90 * 3 * 5; ++i)
      ASSERT_GE(best, sign * valueAt({i / 15, i / 5 % 3, i % 5})) << "seed " << seed;
  }
}

/// Tests more steps than a block fetches at once, one of them with more tables than the block has
/// room for.
TEST(LongTracebacks, AreFetchedPieceByPiece) {
  constexpr size_t kVariables = 150, kTables = 300;
  std::mt19937_64 random(5);
  oracle::BundleBuilder builder(ElementType::F64);
  const Semiring semiring{Reduce::Max, Combine::Times};
  std::vector<VarId> x;
  for (size_t i = 0; i < kVariables; ++i)
    x.push_back(builder.variable(i % 3 == 0 ? 3 : 2));
  std::vector<BundleTraceback> steps;
  BufferId message;
  const auto table = [&](BufferId id) { return BundleTraceback::Table{id, builder.scope(id)}; };
  for (size_t i = 0; i + 1 < kVariables; ++i) {
    std::vector<double> values(builder.extent(x[i]) * builder.extent(x[i + 1]));
    for (double &value : values)
      value = 0.5 + static_cast<double>(random() % 64) / 64;
    const BufferId f = builder.input({x[i], x[i + 1]}, std::move(values));
    std::vector<BufferId> operands = {f};
    if (i > 0)
      operands.push_back(message);
    BundleTraceback step{x[i], {}};
    for (const BufferId operand : operands)
      step.tables.push_back(table(operand));
    if (i == 70)
      step.tables.resize(kTables, table(f));
    steps.push_back(std::move(step));
    message = builder.operation(semiring, operands, {x[i + 1]});
  }
  steps.push_back({x.back(), {table(message)}});
  builder.output(builder.operation(semiring, {message}, {}));
  std::ranges::reverse(steps);
  builder.bundle().kind = QueryKind::Mpe;
  builder.bundle().traceback = std::move(steps);
  const Bundle bundle = builder.finish();
  const auto program = compileTableDriven(tableDrivenSource(bundle.type, false));
  std::string faults;
  const auto executor = makeTableDrivenExecutor(bundle, *program, TableDrivenPath::Level, faults);
  oracle::bindObserved(bundle, *executor);
  executor->run({}, {});
  const std::vector<uint32_t> given(kVariables, 0);
  const auto found = executor->decode({given});
  EXPECT_EQ(faults, "");
  EXPECT_EQ(found, decodeTables(bundle, *executor, {given}));
}

/// Tests parts of a traceback, as if another device followed the rest.
TEST(PartsOfTracebacks, GoOnFromTheStatesOfOthers) {
  const auto program = compileTableDriven(tableDrivenSource(ElementType::F64, false));
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    const Bundle bundle = chainOfThree(ElementType::F64, {Reduce::Max, Combine::Times}, seed);
    std::string faults;
    const auto executor = makeTableDrivenExecutor(bundle, *program, TableDrivenPath::Level, faults);
    oracle::bindObserved(bundle, *executor);
    executor->run({}, {});
    const std::vector<uint32_t> given(bundle.variables.size(), 0);
    const std::vector<uint32_t> first = {0}, others = {1, 2};
    const auto begun = executor->decode({given, first});
    ASSERT_EQ(begun.size(), 1u);
    EXPECT_EQ(begun, decodeTables(bundle, *executor, {given, first})) << "seed " << seed;
    if (begun.front().empty())
      continue;
    EXPECT_EQ(executor->decode({begun.front(), others}), executor->decode({given}))
        << "seed " << seed;
    EXPECT_EQ(faults, "") << "seed " << seed;
  }
}

TEST(TracebackOfZeros, HasNoAssignment) {
  Bundle bundle = chainOfThree(ElementType::F64, {Reduce::Max, Combine::Times}, 1);
  bundle.tables[0] = std::make_shared<const std::vector<double>>(bundle.tables[0]->size(), 0.0);
  const auto program = compileTableDriven(tableDrivenSource(bundle.type, false));
  std::string faults;
  const auto executor = makeTableDrivenExecutor(bundle, *program, TableDrivenPath::Level, faults);
  oracle::bindObserved(bundle, *executor);
  executor->run({}, {});
  const std::vector<uint32_t> given(3, 0);
  EXPECT_EQ(executor->decode({given}), std::vector<std::vector<uint32_t>>{{}});
  EXPECT_EQ(faults, "");
}

/// Tests a held variable c: there is an assignment for each of its states, and none if f is 0.
TEST(TracebacksOfHeldStates, EachStartsFromItsState) {
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    Bundle bundle = chainOfThree(ElementType::F64, {Reduce::Max, Combine::Times}, seed);
    const VarId c = bundle.traceback.front().variable;
    bundle.traceback.erase(bundle.traceback.begin());
    bundle.outputs.front().buffer = bundle.operations[1].result.buffer;
    bundle.outputs.front().layout = bundle.outputs.front().scope = {c};
    bundle.operations.pop_back();
    const auto program = compileTableDriven(tableDrivenSource(bundle.type, false));
    std::string faults;
    const auto executor = makeTableDrivenExecutor(bundle, *program, TableDrivenPath::Level, faults);
    oracle::bindObserved(bundle, *executor);
    executor->run({}, {});
    const std::vector<uint32_t> starts = startsFrom(bundle, {0, 0, 0});
    ASSERT_EQ(starts.size(), 3u * 7);
    const auto found = executor->decode({starts});
    ASSERT_EQ(found.size(), 7u);
    EXPECT_EQ(found, decodeTables(bundle, *executor, {starts})) << "seed " << seed;
    for (uint32_t state = 0; state < 7; ++state) {
      const std::vector<uint32_t> one = {0, 0, state};
      EXPECT_EQ(executor->decode({one}).front(), found[state]);
      if (!found[state].empty()) {
        EXPECT_EQ(found[state][c.index()], state);
      }
    }
    EXPECT_EQ(faults, "") << "seed " << seed;
  }
}

TEST(TracebackWithoutTheDecoding, IsAnErrorAndNotZero) {
  const Bundle bundle = chainOfThree(ElementType::F64, {Reduce::Max, Combine::Times}, 1);
  std::string source = tableDrivenSource(bundle.type, false);
  const std::string known = "#define MPF_DECODE_ARGMAX 0";
  ASSERT_NE(source.find(known), source.npos);
  source.replace(source.find(known), known.size(), "#define MPF_DECODE_ARGMAX 77");
  const auto program = compileTableDriven(source);
  std::string faults;
  const auto executor = makeTableDrivenExecutor(bundle, *program, TableDrivenPath::Level, faults);
  oracle::bindObserved(bundle, *executor);
  executor->run({}, {});
  const std::vector<uint32_t> given(3, 0);
  try {
    executor->decode({given});
    FAIL() << "decoded";
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::Internal);
    EXPECT_NE(std::string(error.what()).find("decoding 0"), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Traceback,
    testing::Values(TracebackCase{ElementType::F32, {Reduce::Max, Combine::Times}},
                    TracebackCase{ElementType::F64, {Reduce::Max, Combine::Times}},
                    TracebackCase{ElementType::F64, {Reduce::Min, Combine::Plus}},
                    TracebackCase{ElementType::U64, {Reduce::Max, Combine::Times}},
                    TracebackCase{ElementType::U128, {Reduce::Max, Combine::Plus}}),
    [](const auto &instance) {
      const Semiring semiring = std::get<1>(instance.param);
      return fmt::format("{}_{}{}", elementTypeName(std::get<0>(instance.param)),
                         semiring.reduce == Reduce::Max ? "max" : "min",
                         semiring.combine == Combine::Times ? "Product" : "Sum");
    });

} // namespace
} // namespace mpf::simt
