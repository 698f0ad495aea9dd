// Several posteriors of host programs by one program, for one case and for lists, against programs
// of their own.
#include "runtime/api/cases.h"
#include "tests/support/trials.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace mpf {
namespace {

constexpr uint32_t kVariables = 6, kCases = 9;

std::string nameOf(size_t variable) { return fmt::format("x{}", variable); }

/// Returns a tree of tables with some zeros, and a further table that closes a loop.
Network randomNetwork(std::mt19937_64 &random) {
  Network network;
  std::vector<uint32_t> states;
  for (size_t v = 0; v < kVariables; ++v) {
    states.push_back(2 + static_cast<uint32_t>(random() % 2));
    network.addVariable(nameOf(v), states.back());
  }
  const auto add = [&](size_t from, size_t to) {
    std::vector<double> values(size_t{states[from]} * states[to]);
    for (double &value : values)
      value = random() % 6 == 0 ? 0 : static_cast<double>(1 + random() % 1000) / 1000;
    network.addFactor(fmt::format("f{}", network.factors().size()), {nameOf(from), nameOf(to)},
                      values);
  };
  for (size_t v = 1; v < kVariables; ++v)
    add(random() % v, v);
  add(0, kVariables - 1);
  return network;
}

/// Returns different queries: pairs, single variables, and rows.
std::vector<std::string> randomQueries(std::mt19937_64 &random) {
  std::vector<std::string> queries;
  while (queries.size() < 4) {
    std::vector<size_t> drawn = {0, 1, 2, 3, 4, 5};
    std::ranges::shuffle(drawn, random);
    const std::string a = nameOf(drawn[0]), b = nameOf(drawn[1]), c = nameOf(drawn[2]);
    const std::string forms[] = {fmt::format("P({}, {})", a, b), fmt::format("P({})", a),
                                 fmt::format("P({}, {} | {})", a, b, c)};
    const std::string &query = forms[random() % 3];
    if (std::ranges::find(queries, query) == queries.end())
      queries.push_back(query);
  }
  return queries;
}

void expectEqual(const ResultTable &found, const ResultTable &wanted) {
  ASSERT_EQ(found.variables, wanted.variables);
  ASSERT_EQ(found.entries.size(), wanted.entries.size());
  for (size_t i = 0; i < found.entries.size(); ++i) {
    ASSERT_EQ(found.isUndefined(i), wanted.isUndefined(i));
    ASSERT_NEAR(found.at(i).nearest(), wanted.at(i).nearest(), 1e-12) << i;
  }
}

void expectEqual(const CaseTable &found, const CaseTable &wanted) {
  ASSERT_EQ(found.variables, wanted.variables);
  ASSERT_EQ(found.size, wanted.size);
  ASSERT_EQ(found.rowVariables, wanted.rowVariables);
  for (uint32_t i = 0; i < kCases; ++i)
    for (size_t e = 0; e < found.size; ++e) {
      ASSERT_EQ(found.isUndefined(i, e), wanted.isUndefined(i, e)) << "case " << i;
      ASSERT_NEAR(found.at(i, e).nearest(), wanted.at(i, e).nearest(), 1e-12) << "case " << i;
    }
}

SessionOptions onOneThread() {
  SessionOptions options;
  options.device = "cpu";
  options.threads = 1;
  return options;
}

/// Returns cases that observe x0 to x3 at random; the first observes nothing.
CaseBlock randomBlock(const CaseProgram &program, std::mt19937_64 random) {
  CaseBlock block = program.block(kCases);
  block.count = kCases;
  for (uint32_t i = 1; i < kCases; ++i)
    for (size_t v = 0; v < 4; ++v)
      if (random() % 3 == 0)
        program.observe(block, i, nameOf(v), static_cast<uint32_t>(random() % 2));
  return block;
}

CaseAnswers answersOf(const CaseProgram &program, const std::mt19937_64 &random) {
  CaseSession session(program, onOneThread());
  CaseAnswers answers;
  session.run(randomBlock(program, random), answers);
  return answers;
}

/// Returns the table of this name of a Result or of CaseAnswers.
const auto &tableOf(const auto &answers, const std::string &name) {
  const auto found =
      std::ranges::find_if(answers.tables, [&](const auto &table) { return table.name == name; });
  if (found == answers.tables.end())
    throw Error(ErrorKind::Usage, "no table " + name);
  return *found;
}

TEST(JoinedPrograms, AnswerAsEachAlone) {
  std::mt19937_64 random(48);
  size_t joined = 0;
  for (int i = 0; i < trials(40) && !testing::Test::HasFatalFailure(); ++i) {
    Network network = randomNetwork(random);
    const std::vector<std::string> queries = randomQueries(random);
    network.setQueries(queries);
    network.observe("x4", static_cast<uint32_t>(random() % 2));
    std::vector<std::string> answered;
    for (const Program &program : compileAll(network)) {
      joined += program.queries().size() > 1;
      const Result together = Session(program, onOneThread()).run();
      for (const std::string &query : program.queries()) {
        SCOPED_TRACE(fmt::format("network {}: {}", i, query));
        const Result alone = Session(compile(network, {.query = query}), onOneThread()).run();
        expectEqual(tableOf(together, query), alone.tables.front());
        answered.push_back(query);
      }
    }
    EXPECT_TRUE(std::ranges::is_permutation(answered, queries));
  }
  EXPECT_GT(joined, 0);
}

TEST(JoinedPrograms, AnswerListsAsEachAlone) {
  std::mt19937_64 random(49);
  const CaseOptions cases = {.observable = {"x0", "x1", "x2", "x3"}};
  size_t joined = 0;
  for (int i = 0; i < trials(40) && !testing::Test::HasFatalFailure(); ++i) {
    Network network = randomNetwork(random);
    network.setQueries(randomQueries(random));
    if (i % 2 == 0)
      network.observe("x4", 1);
    for (const CaseProgram &program : compileAllCases(network, cases)) {
      joined += program.queries().size() > 1;
      const CaseAnswers together = answersOf(program, random);
      const CaseAnswers loaded = answersOf(loadCasesBytes(program.bytes()), random);
      for (const std::string &query : program.queries()) {
        SCOPED_TRACE(fmt::format("network {}: {}", i, query));
        const CaseAnswers alone = answersOf(compileCases(network, cases, {.query = query}), random);
        expectEqual(tableOf(together, query), alone.tables.front());
        expectEqual(tableOf(loaded, query), alone.tables.front());
      }
    }
  }
  EXPECT_GT(joined, 0);
}

/// Whole numbers and costs have no posteriors, so they are answered apart.
TEST(JoinedPrograms, OtherKindsHaveTheirOwn) {
  std::mt19937_64 random(50);
  Network network = randomNetwork(random);
  network.setQueries({"evidence", "P(x0)", "best", "P(x1, x2)"});
  const std::vector<Program> programs = compileAll(network);
  ASSERT_EQ(programs.size(), 3);
  EXPECT_EQ(programs[1].queries(), (std::vector<std::string>{"P(x0)", "P(x1, x2)"}));
  EXPECT_EQ(programs[2].queries(), (std::vector<std::string>{"best"}));
  EXPECT_THROW(compile(network), Error);
}

} // namespace
} // namespace mpf
