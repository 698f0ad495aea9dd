// Tests that the verifier notices every change in a sound program.
#include "codegen/plan/build_program.h"
#include "codegen/plan/initial/initial_program.h"
#include "codegen/plan/program/verify_program.h"
#include "tests/oracle/models/random_models.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <functional>
#include <gtest/gtest.h>
#include <utility>

using namespace mpf;

namespace {

/// Programs with something to break in every place.
TableProgram sample(QueryKind kind) {
  std::mt19937_64 random(5);
  oracle::RandomModelOptions options;
  options.maxFactors = 20;
  while (true) {
    const Model model = oracle::randomModel(random, options);
    Diagnostics diagnostics;
    TableProgram program =
        buildProgram(model, oracle::randomQuery(random, model, kind), {}, diagnostics);
    if (program.operations.size() >= 4 && program.order.size() >= 4 &&
        !program.evidence.findings.empty() && program.operations[1].operands.size() >= 2 &&
        program.operations[1].reduced.size() == 1 &&
        program.table(program.operations[1].result).scope.size() >= 2)
      return program;
  }
}

/// A change, and words of the message that it gets for every kind of query.
struct Mutation {
  const char *what, *why;
  std::function<void(TableProgram &)> change;
};

const std::vector<Mutation> &mutations() {
  static const std::vector<Mutation> kMutations = {
      {"drop an operand", "its cost says",
       [](TableProgram &p) { p.operations[1].operands.pop_back(); }},
      {"use an operand twice", "its cost says",
       [](TableProgram &p) {
         p.operations[1].operands.push_back(p.operations[1].operands.front());
       }},
      {"unknown operand", "operand 9999 of",
       [](TableProgram &p) { p.operations[1].operands[0] = TableId{9999}; }},
      {"read before written", "before it is written",
       [](TableProgram &p) { p.operations[0].operands[0] = p.operations.back().result; }},
      {"swap two operations", "before it is written",
       [](TableProgram &p) { std::swap(p.operations[0], p.operations[1]); }},
      {"reduce nothing", "the scope of its result is not that of its operands",
       [](TableProgram &p) { p.operations[1].reduced.clear(); }},
      {"no semiring", "are no semiring",
       [](TableProgram &p) {
         p.operations[1].semiring = {Reduce::Sum, Combine::Plus};
       }},
      {"wrong cost", "its cost says", [](TableProgram &p) { ++p.operations[1].cost.addressCount; }},
      {"wrong size", "its scope needs", [](TableProgram &p) { ++p.tables.back().sizeElems; }},
      {"the same as a table of another scope", "which has other extents",
       [](TableProgram &p) {
         ProgramTable &result = p.tables[p.operations[1].result.index()];
         result.sameAs = p.operations[0].result;
       }},
      {"the same as a later table", "which is no earlier table that is stored",
       [](TableProgram &p) { p.tables[0].sameAs = TableId{1}; }},
      {"an input that is kept", "is kept, but no operation writes it",
       [](TableProgram &p) { p.tables[0].kept = true; }},
      {"two origins", "needs one origin", [](TableProgram &p) { p.tables.back().fill = 1; }},
      {"no origin", "needs one origin",
       [](TableProgram &p) {
         p.tables.front().factor = FactorId{};
         p.tables.front().fill.reset();
       }},
      {"unsorted scope", "do not follow the global order",
       [](TableProgram &p) {
         auto &scope = p.tables[p.operations[1].result.index()].scope;
         std::swap(scope[0], scope[1]);
       }},
      {"variable twice in the order", "is twice in the order",
       [](TableProgram &p) { p.order[0] = p.order[1]; }},
      {"order reversed", "do not follow the global order",
       [](TableProgram &p) { std::reverse(p.order.begin(), p.order.end()); }},
      {"variable missing in the order", "is not in the order",
       [](TableProgram &p) { p.order.pop_back(); }},
      {"extent 0", "has extent 0", [](TableProgram &p) { p.variables[0].extent = 0; }},
      {"extent changed", "its scope needs",
       [](TableProgram &p) { ++p.variables[p.order[0].index()].extent; }},
      {"evidence out of range", "is observed in state 1000",
       [](TableProgram &p) { p.evidence.states[0] = 1000; }},
      {"evidence lost", "1 states of 2 observed variables",
       [](TableProgram &p) { p.evidence.states.pop_back(); }},
      {"output of an input", "its table is no result of an operation",
       [](TableProgram &p) { p.outputs[0].table = TableId{size_t{0}}; }},
      {"output of another message", "its scope is no permutation of its table's",
       [](TableProgram &p) { p.outputs[0].table = p.operations[1].result; }},
      {"output lost", "output", [](TableProgram &p) { p.outputs.pop_back(); }},
      {"output twice", "here are", [](TableProgram &p) { p.outputs.push_back(p.outputs.back()); }},
      {"output normalised or not", "normalised",
       [](TableProgram &p) { p.outputs.back().normalised = !p.outputs.back().normalised; }},
      {"output scope", "its scope is no permutation of its table's",
       [](TableProgram &p) { p.outputs[0].scope.push_back(p.order[0]); }},
  };
  return kMutations;
}

TEST(VerifyProgram, NoticesEveryChange) {
  for (const QueryKind kind : {QueryKind::Evidence, QueryKind::Marginals, QueryKind::Mpe}) {
    const TableProgram right = sample(kind);
    ASSERT_FALSE(verifyProgram(right)) << *verifyProgram(right);
    for (const Mutation &mutation : mutations()) {
      TableProgram wrong = right;
      mutation.change(wrong);
      const std::string fault = verifyProgram(wrong).value_or("");
      EXPECT_NE(fault.find(mutation.why), std::string::npos)
          << mutation.what << ", " << queryKindName(kind) << ": " << fault;
    }
  }
}

TEST(VerifyProgram, NoticesWrongTracebacks) {
  const TableProgram right = sample(QueryKind::Mpe);
  TableProgram wrong = right;
  wrong.traceback.pop_back();
  EXPECT_NE(verifyProgram(wrong).value_or("").find("open"), std::string::npos);
  wrong = right;
  std::reverse(wrong.traceback.begin(), wrong.traceback.end());
  EXPECT_NE(verifyProgram(wrong).value_or("").find("decided later"), std::string::npos);
  wrong = right;
  wrong.traceback[1].variable = wrong.traceback[0].variable;
  EXPECT_NE(verifyProgram(wrong).value_or("").find("twice"), std::string::npos);
  wrong = right;
  wrong.kind = QueryKind::Evidence;
  EXPECT_EQ(verifyProgram(wrong), "a traceback belongs to best queries only");
}

TEST(VerifyProgram, OperandsAreBounded) {
  TableProgram program = sample(QueryKind::Evidence);
  auto &operands = program.operations[1].operands;
  while (operands.size() <= kMaxOperands)
    operands.push_back(operands.front());
  EXPECT_NE(verifyProgram(program).value_or("").find("allowed are 1 to 8"), std::string::npos);
}

/// Marginals of a chain, one variable sliced; the two identities have the same extents.
TableProgram withCopies() {
  const Model model = test::modelOf({3, 3, 3, 3}, {{0, 1}, {1, 2}, {2, 3}});
  Query query = model.queries.front();
  query.kind = QueryKind::Marginals;
  Diagnostics diagnostics;
  OrderChoice choice;
  choice.order = {VarId{1}, VarId{2}, VarId{3}, VarId{size_t{0}}};
  choice.slicedCount = 2;
  const InputContents contents(model, false);
  return runPlanPasses(initialProgram(model, query, diagnostics),
                       {choice, contents, KeptMessages::None}, {});
}

TEST(VerifyProgram, CopiesAreTiedToTheirOriginals) {
  const TableProgram right = withCopies();
  ASSERT_FALSE(verifyProgram(right)) << *verifyProgram(right);
  ASSERT_EQ(right.variables.size(), 6u) << "two copies";
  const auto says = [](const TableProgram &wrong) { return verifyProgram(wrong).value_or(""); };
  TableProgram wrong = right;
  std::swap(wrong.variables[4].copyOf, wrong.variables[5].copyOf);
  EXPECT_NE(says(wrong).find("no identity of a variable and its copy"), std::string::npos)
      << says(wrong);
  wrong = right;
  wrong.variables[5].copyOf = VarId{4};
  EXPECT_NE(says(wrong).find("is no copy of"), std::string::npos) << says(wrong);
  wrong = right;
  wrong.variables[4].sliced = true; // then the second copy may be one of the first
  wrong.variables[5].copyOf = VarId{4};
  EXPECT_NE(says(wrong).find("is no copy of"), std::string::npos) << says(wrong);
  wrong = right;
  for (ProgramTable &table : wrong.tables)
    if (std::exchange(table.isIdentity, false))
      table.fill = 1;
  EXPECT_NE(says(wrong).find("has no identity"), std::string::npos) << says(wrong);
}

/// Memory by branch knows no loops (branch_arena.h).
TEST(VerifyProgram, SlicesShareMemory) {
  TableProgram program = withCopies();
  program.separateBranches = true;
  EXPECT_NE(verifyProgram(program).value_or("").find("in slices has no separate branches"),
            std::string::npos);
}

} // namespace
