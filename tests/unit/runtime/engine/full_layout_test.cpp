#include "runtime/engine/full_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>
#include <vector>

namespace mpf {
namespace {

/// Returns a model with a, b and c, of which every case observes b = 1.
Model threeVariables() {
  Model model;
  model.variables = {{"a", 2, {}}, {"b", 3, {}}, {"c", 2, {}}};
  model.evidence.add({{VarId{1}, 1}});
  return model;
}

CaseTable table(std::string name, std::vector<std::string> variables, size_t size,
                std::vector<double> entries, bool normalised) {
  CaseTable made;
  made.name = std::move(name);
  made.variables = std::move(variables);
  made.extents.assign(made.variables.size(), 2);
  made.size = size;
  made.exponents.resize(entries.size() / size);
  made.entries = std::move(entries);
  made.normalised = normalised;
  return made;
}

/// Returns the full answers of an engine that answers two cases with `answers`, which have no digit
/// of b.
CaseAnswers filled(const Model &model, const Query &query, const CaseAnswers &answers) {
  CaseEngine narrow;
  narrow.layout = answers;
  narrow.answer = [&](const CaseBlock &, CaseAnswers &to) { to = answers; };
  const CaseEngine engine = withFullLayout(model, CaseSchema{}, query, narrow);
  CaseBlock block(CaseSchema{}, 2);
  block.count = 2;
  CaseAnswers found;
  engine.answer(block, found);
  return found;
}

TEST(FullLayout, PosteriorsOfWhatAllCasesObserve) {
  const Model model = threeVariables();
  const Query query = shortQuery(model, QueryKind::Marginals);
  CaseAnswers narrow;
  narrow.count = 2;
  narrow.tables = {table("evidence", {}, 1, {0.5, 0}, false),
                   table("a", {"a"}, 2, {0.25, 0.75, 0, 0}, true),
                   table("c", {"c"}, 2, {1, 0, 0, 0}, true)};
  const CaseAnswers found = filled(model, query, narrow);
  ASSERT_EQ(found.tables.size(), 4u);
  EXPECT_EQ(found.tables[1].entries, (std::vector<double>{0.25, 0.75, 0, 0}));
  EXPECT_EQ(found.tables[2].name, "b");
  EXPECT_EQ(found.tables[2].entries, (std::vector<double>{0, 1, 0, 0, 0, 0})); // case 1: impossible
  EXPECT_EQ(found.tables[3].entries, (std::vector<double>{1, 0, 0, 0}));
}

TEST(FullLayout, EntriesStandAtTheStateThatIsObserved) {
  const Model model = threeVariables();
  Query query = shortQuery(model, QueryKind::Joint, {VarId{2}, VarId{1}, VarId{0}});
  CaseAnswers narrow;
  narrow.count = 2;
  narrow.tables = {table(query.name, {"c", "a"}, 4, {0.1, 0.2, 0.3, 0.4, 0, 0, 0, 0}, true)};
  EXPECT_EQ(filled(model, query, narrow).tables[0].entries,
            (std::vector<double>{0, 0, 0.1, 0.2, 0, 0, 0, 0, 0.3, 0.4, 0, 0, //
                                 0, 0, 0,   0,   0, 0, 0, 0, 0,   0,   0, 0}));
  query = shortQuery(model, QueryKind::Evidence);
  query.kind = QueryKind::Expression;
  query.output = {VarId{1}};
  query.reductions = {{Reduce::Min, {VarId{0}, VarId{2}}}};
  narrow.tables = {table(query.name, {}, 1, {3, 0}, false)};
  narrow.tables[0].farApart[0] = {ScaledNumber::fromValue(3, 5000)};
  const CaseAnswers found = filled(model, query, narrow);
  EXPECT_EQ(found.tables[0].entries[4], 0);
  EXPECT_EQ(found.tables[0].entries[5], kInfinity); // the minimum over no value
  EXPECT_EQ(found.tables[0].at(0, 1).exponent, 5001);
  EXPECT_EQ(found.tables[0].at(0, 0).mantissa, kInfinity);
}

TEST(FullLayout, AnEngineThatLeavesNothingOutStaysAsItIs) {
  const Model model = threeVariables();
  const Query query = shortQuery(model, QueryKind::Evidence);
  CaseEngine engine;
  engine.layout = fullLayout(model, query);
  engine.bestBlockCases = 5;
  engine.leastBlockCases = 3;
  const CaseEngine same = withFullLayout(model, CaseSchema{}, query, engine);
  EXPECT_FALSE(same.answer);
  EXPECT_EQ(same.bestBlockCases, 5u);
  EXPECT_EQ(same.leastBlockCases, 3u);
}

/// Each caller gets the answers to its own block: the number of its first case.
TEST(FullLayout, SeveralCallersAtOnce) {
  const Model model = threeVariables();
  const Query query = shortQuery(model, QueryKind::Marginals);
  CaseEngine narrow;
  narrow.callers = 3;
  narrow.layout.tables = {table("evidence", {}, 1, {}, false), table("a", {"a"}, 2, {}, true),
                          table("c", {"c"}, 2, {}, true)};
  std::atomic<int> inside{0};
  narrow.answer = [&](const CaseBlock &block, CaseAnswers &to) {
    makeRoom(narrow.layout, block.count, to);
    for (CaseTable &one : to.tables)
      std::ranges::fill(one.entries, static_cast<double>(block.first));
    for (++inside; inside < 3;) // waits until all callers have written
      std::this_thread::yield();
  };
  const CaseEngine engine = withFullLayout(model, CaseSchema{}, query, narrow);
  EXPECT_EQ(engine.callers, 3u);
  std::vector<CaseAnswers> found(3);
  std::vector<std::thread> callers;
  for (size_t caller = 0; caller < found.size(); ++caller)
    callers.emplace_back([&, caller] {
      CaseBlock block(CaseSchema{}, 2);
      block.count = 2;
      block.first = caller + 1;
      engine.answer(block, found[caller]);
    });
  for (std::thread &caller : callers)
    caller.join();
  for (size_t caller = 0; caller < found.size(); ++caller)
    EXPECT_EQ(found[caller].tables[1].entries,
              std::vector<double>(4, static_cast<double>(caller + 1)));
}

} // namespace
} // namespace mpf
