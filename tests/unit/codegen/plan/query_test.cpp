// Tests the queries that the planner refuses, and shapes of programs that brute force cannot see.
#include "codegen/plan/build_program.h"
#include "codegen/plan/initial/initial_program.h"
#include "codegen/plan/passes/pass_merge_operands.h"
#include "codegen/plan/passes/plan_pipeline.h"
#include "codegen/plan/program/program_memory.h"
#include "codegen/plan/program/verify_program.h"
#include "dsl/support/error.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <gtest/gtest.h>

using namespace mpf;
using namespace mpf::test;

namespace {

TableProgram planned(const Model &model, const PlanHooks &hooks = {}) {
  Diagnostics diagnostics;
  return buildProgram(model, model.queries.front(), {}, diagnostics, hooks);
}

void expectRefusal(const Model &model, ErrorKind kind, const char *message) {
  try {
    planned(model);
    ADD_FAILURE() << "not refused: " << message;
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), kind);
    EXPECT_STREQ(error.what(), message);
  }
}

TEST(PlanQuery, RefusedKinds) {
  const Model model = binaryModel(2, {{0, 1}});
  Model changed = model;
  changed.queries[0].kind = QueryKind::Samples;
  expectRefusal(changed, ErrorKind::Unsupported,
                "query samples is not supported yet; draw one variable after the other from P(x), "
                "in a list of cases that observe those drawn before");
  changed.queries[0].kind = QueryKind::Gradient;
  expectRefusal(changed, ErrorKind::Unsupported,
                "query gradient is not supported yet; d ln Z / d ln f of an entry of a factor f(a, "
                "b) is the posterior of its states: P(a, b)");
  changed = model;
  changed.evidence.listed = true;
  expectRefusal(changed, ErrorKind::Unsupported,
                "a list of cases (observe cases) is answered by mpfc run; its stages are model, "
                "simplified, order, td, lanes, cuda, ptx, compiled and bundle, with --engine "
                "tables all");
  changed = model;
  changed.sweeps.push_back({"theta", {0, 1}});
  expectRefusal(changed, ErrorKind::Unsupported,
                "swept params are a list of cases, answered by mpfc run; its stages are model, "
                "simplified, order, td, lanes, cuda, ptx, compiled and bundle, with --engine "
                "tables all: else give theta one value");
}

TEST(PlanQuery, RefusedAlgebra) {
  Model model = modelOf({2, 2}, {{0, 1}});
  Query &query = model.queries[0];
  query.name = "k";
  query.kind = QueryKind::Expression;
  query.reductions = {{Reduce::Max, {VarId{size_t{0}}}}, {Reduce::Sum, {VarId{1}}}};
  expectRefusal(model, ErrorKind::Unsupported,
                "query k nests different reductions (marginal MAP), which is not supported yet; "
                "P(a, b) of the variables to maximise over has the value of each of their states");
  query.reductions = {{Reduce::Sum, {VarId{size_t{0}}}}, {Reduce::Sum, {VarId{1}}}};
  EXPECT_EQ(planned(model).operations.size(), 1u);
  query.combine = Combine::Plus;
  expectRefusal(model, ErrorKind::Unsupported,
                "query k: this reduction does not distribute over this product; use sum, max or "
                "min with *, or max, min or logsum with +");
}

TEST(PlanQuery, NegativeValuesUnderMaxProduct) {
  Model model = modelOf({2}, {{0}});
  model.factors[0].values = std::make_shared<const std::vector<double>>(std::vector{1.0, -0.5});
  EXPECT_NO_THROW(planned(model));
  model.queries[0].kind = QueryKind::Mpe;
  expectRefusal(model, ErrorKind::BadInput,
                "query evidence maximises or minimises a product, which needs values of at least "
                "0; entry 1 of f0 is -0.5");
}

TEST(PlanQuery, ObservedOutputIsASlice) {
  Model model = modelOf({2, 3}, {{0, 1}});
  model.evidence.add({{VarId{size_t{0}}, 1}});
  model.queries[0].kind = QueryKind::Joint;
  model.queries[0].output = {VarId{size_t{0}}, VarId{1}};
  Diagnostics diagnostics;
  const TableProgram program = buildProgram(model, model.queries[0], {}, diagnostics);
  EXPECT_EQ(program.outputs[0].scope, std::vector{VarId{1}});
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].severity, Severity::Warning);
}

TEST(PlanQuery, SoftEvidenceJoinsExpressions) {
  Model model = modelOf({2, 2}, {{0}, {1}, {1}});
  model.evidence.likelihoods = {FactorId{1}, FactorId{2}};
  Query &query = model.queries[0];
  query.kind = QueryKind::Expression;
  query.factors = {FactorId{size_t{0}}};
  query.reductions = {{Reduce::Sum, {VarId{size_t{0}}}}};
  EXPECT_EQ(planned(model).tables.size(), 2u); // x1 does not occur
  query.output = {VarId{1}};
  EXPECT_EQ(planned(model).tables.size(), 5u); // both belong to it, and a product
}

TEST(PlanQuery, JoinedBucketsAreOneOperation) {
  // sum(a, b, c) f(a, b, c) needs no message.
  const Model model = modelOf({2, 3, 4}, {{0, 1, 2}});
  EXPECT_EQ(planned(model).operations.size(), 1u);
  PlanHooks hooks;
  hooks.offPasses = {"join-buckets"};
  EXPECT_EQ(planned(model, hooks).operations.size(), 3u);
}

TEST(PlanQuery, PassOptions) {
  const Model model = modelOf({2, 2}, {{0, 1}});
  PlanHooks hooks;
  std::vector<std::string> seen;
  hooks.compareText = true;
  hooks.after = [&seen](const PassEvent &event) {
    seen.push_back(std::string(event.pass) + (event.changed ? "" : " unchanged"));
  };
  planned(model, hooks);
  ASSERT_EQ(seen.size(), planPasses().size() + 1);
  EXPECT_EQ(seen[0], "initial-program");
  EXPECT_EQ(seen[2], "eliminate");
  EXPECT_EQ(seen[4], "merge-operands unchanged");
  for (const char *off : {"order-variables", "wish"}) {
    hooks.offPasses = {off};
    EXPECT_THROW(planned(model, hooks), Error) << off;
  }
}

TEST(PlanQuery, WithoutEliminationAQueryIsOneOperation) {
  // Left whole, f(a, b) g(b, c) is reduced over all three variables at once.
  const Model model = modelOf({2, 2, 2}, {{0, 1}, {1, 2}});
  PlanHooks hooks;
  hooks.offPasses = {"eliminate"};
  const TableProgram program = planned(model, hooks);
  ASSERT_EQ(program.operations.size(), 1u);
  EXPECT_EQ(program.operations[0].reduced.size(), 3u);
}

TEST(PlanQuery, SmallTablesOfBigBucketsAreMultipliedFirst) {
  // One bucket of 2^18 addresses: f over all, then small tables over parts of it.
  const Model model = binaryModel(
      18, {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17}, {0}, {0, 1}, {1, 2}});
  Diagnostics diagnostics;
  TableProgram program = initialProgram(model, model.queries[0], diagnostics);
  ASSERT_EQ(program.operations[0].operands.size(), 4u);
  passMergeOperands(program);
  EXPECT_FALSE(verifyProgram(program)) << *verifyProgram(program);
  ASSERT_EQ(program.operations.back().operands.size(), 2u); // f and one product
  uint64_t products = 0;
  for (size_t i = 0; i + 1 < program.operations.size(); ++i)
    products += program.operations[i].cost.combineOps;
  EXPECT_LE(products, 16u);
}

TEST(PlanQuery, MergingGivesWayToTheMemoryBound) {
  // Four tables of 3 variables each over one bucket: their products cost some memory.
  const Model model =
      modelOf(std::vector<uint32_t>(6, 32), {{0, 1, 2, 3}, {0, 4}, {1, 4}, {0, 1}}, false);
  Diagnostics diagnostics;
  PlanOptions options;
  options.search.rounds = 0; // one order for all
  PlanHooks off;
  off.offPasses = {"merge-operands"};
  const uint64_t lean =
      planMemory(buildProgram(model, model.queries[0], options, diagnostics, off), ElementType::F64)
          .peakBytes;
  const uint64_t fast =
      planMemory(buildProgram(model, model.queries[0], options, diagnostics), ElementType::F64)
          .peakBytes;
  ASSERT_GT(fast, lean);
  options.maxMemoryBytes = lean;
  const TableProgram program = buildProgram(model, model.queries[0], options, diagnostics);
  EXPECT_EQ(planMemory(program, ElementType::F64).peakBytes, lean);
}

TEST(PlanQuery, WideBucketsCostLinearWorkDownward) {
  // One hub with k leaf factors of two leaves each: k messages arrive in the hub's bucket.
  const auto combineOps = [](uint32_t k) {
    std::vector<std::vector<uint32_t>> scopes;
    for (uint32_t i = 0; i < k; ++i)
      scopes.push_back({0, 2 * i + 1, 2 * i + 2});
    Model model = binaryModel(2 * k + 1, scopes);
    model.queries[0].kind = QueryKind::Marginals;
    uint64_t ops = 0;
    for (const Operation &operation : planned(model).operations)
      ops += operation.cost.combineOps + operation.cost.reduceOps;
    return static_cast<double>(ops);
  };
  EXPECT_LT(combineOps(4000) / combineOps(400), 11);
}

} // namespace
