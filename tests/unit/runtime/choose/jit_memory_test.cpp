// Facts of a run that are known before it is planned.
#include "runtime/choose/jit_memory.h"

#include "codegen/pipeline/joint_queries.h"
#include "dsl/support/error.h"
#include "tests/unit/dsl/model/model_fixture.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

Model manyCoins(size_t count) {
  Model model;
  for (size_t v = 0; v < count; ++v)
    model.variables.push_back({fmt::format("x{}", v), 2, {}});
  model.factors = {{"f", "f", {VarId{size_t{0}}}, test::table({1, 3}), false}};
  return model;
}

TEST(RunFacts, HaveTheTablesOfJoinedQueriesAndNotTheirUnion) {
  const Model model = manyCoins(100);
  std::vector<Query> pairs;
  std::vector<const Query *> members;
  for (size_t v = 0; v + 1 < 100; ++v)
    pairs.push_back(shortQuery(model, QueryKind::Joint, {VarId{v}, VarId{v + 1}}));
  for (const Query &pair : pairs)
    members.push_back(&pair);
  const Query joined = joinedQuery(members);
  EXPECT_EQ(runFacts(model, {&joined, 1}, 1).resultEntries,
            runFacts(model, pairs, 1).resultEntries);
}

TEST(RunFacts, SayWhichAnswerIsTooLarge) {
  const Model model = manyCoins(60);
  std::vector<VarId> all;
  for (size_t v = 0; v < 60; ++v)
    all.push_back(VarId{v});
  const Query joint = shortQuery(model, QueryKind::Joint, all);
  const RunFacts facts = runFacts(model, {&joint, 1}, 1);
  try {
    tablesBound({uint64_t{1} << 40, "memory", 0, UINT64_MAX, ""}, facts);
    ADD_FAILURE() << "it is taken";
  } catch (const Error &error) {
    const std::string said = error.what();
    EXPECT_NE(said.find("has 2^60.0 entries; query marginals(...) has the posterior of each "
                        "variable"),
              std::string::npos)
        << said;
    EXPECT_LT(said.size(), 250u);
  }
  const Query marginals = shortQuery(model, QueryKind::Marginals);
  EXPECT_EQ(runFacts(model, {&marginals, 1}, 1).largestResult, "");
}

} // namespace
} // namespace mpf
