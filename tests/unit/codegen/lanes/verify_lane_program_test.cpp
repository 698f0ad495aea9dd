// Tests that each fault of a lane program is refused with the name of its part.
#include "codegen/bundle/lanes/verify_lane_program.h"

#include "dsl/support/error.h"
#include "tests/unit/codegen/lanes/lane_programs.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>

namespace mpf {
namespace {

using BreakProgram = std::function<void(LaneProgram &)>;

/// Returns the refusal of smallLaneProgram with one part broken.
std::string laneRefusal(const BreakProgram &breakIt, QueryKind kind = QueryKind::Evidence) {
  LaneProgram program = test::smallLaneProgram(kind);
  breakIt(program);
  try {
    verifyLanes(program);
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    constexpr std::string_view kPrefix = "lane program: ";
    const std::string text = error.what();
    EXPECT_TRUE(text.starts_with(kPrefix)) << text;
    return text.substr(kPrefix.size());
  }
  return "";
}

LaneOperation &operationAt(LaneProgram &program, size_t step) {
  return std::get<LaneOperation>(program.steps.at(step));
}
LaneGather &gatherAt(LaneProgram &program, size_t step) {
  return std::get<LaneGather>(program.steps.at(step));
}

TEST(VerifyLaneProgram, SoundOnesPass) {
  for (const QueryKind kind : {QueryKind::Evidence, QueryKind::Marginals, QueryKind::Mpe})
    EXPECT_EQ(laneRefusal([](LaneProgram &) {}, kind), "");
}

TEST(VerifyLaneProgram, Head) {
  const auto said = [](const BreakProgram &change) { return laneRefusal(change); };
  EXPECT_EQ(said([](auto &p) { p.kind = QueryKind::Samples; }),
            "a query of kind samples is not supported");
  EXPECT_EQ(said([](auto &p) { p.type = ElementType::U64; }), "lanes of u64 are not supported");
  EXPECT_EQ(said([](auto &p) {
              p.semiring = {Reduce::Min, Combine::Times};
            }),
            "its semiring is neither sum-product nor max-product");
  EXPECT_EQ(said([](auto &p) { p.variables[1].extent = 0; }), "variable b has no states");
  EXPECT_EQ(said([](auto &p) { p.variables[0].labels.pop_back(); }),
            "variable a has 1 labels for 2 states");
  EXPECT_EQ(said([](auto &p) { p.evidence.states.clear(); }),
            "0 states of 1 observed variables in 1 cases");
  EXPECT_EQ(said([](auto &p) { p.evidence.states[0] = 2; }),
            "variable 'c' is observed in state 2, it has 2 states");
  EXPECT_EQ(said([](auto &p) { p.evidence.findings[0].fixed = false; }),
            "the state of variable c may change");
}

TEST(VerifyLaneProgram, WhatIsAskedFor) {
  const auto said = [](std::vector<VarId> asked) {
    return laneRefusal([&asked](LaneProgram &p) {
      p.kind = QueryKind::Joint;
      p.asked = {{asked}};
      p.outputs = {{{"q", {VarId{0}}, true}, {2}, {7, 0, {1}}}};
    });
  };
  EXPECT_EQ(said({VarId{0}}), "");
  EXPECT_EQ(said({VarId{2}, VarId{0}}), ""); // the output lacks c, which is fixed
  EXPECT_EQ(said({VarId{0}, VarId{0}}), "variable a is asked for twice");
  EXPECT_EQ(said({VarId{9}}), "what is asked for refers to variable 9 of 3");
  EXPECT_EQ(said({VarId{2}}), "output q is over 1 variables, 0 are asked for and not fixed");
  EXPECT_EQ(said({VarId{1}}), "output q is over 1 variables, 1 are asked for and not fixed");
  EXPECT_EQ(laneRefusal([](LaneProgram &p) { p.asked = {{{VarId{0}}}}; }),
            "1 tables are asked for by a query of kind evidence");
}

TEST(VerifyLaneProgram, JoinedQueries) {
  const auto said = [](const BreakProgram &change) {
    return laneRefusal([&change](LaneProgram &p) {
      p.kind = QueryKind::Joints;
      p.asked = {{{VarId{0}}, 1}};
      p.outputs.push_back({{"q", {VarId{0}}, true}, {2}, {7, 0, {1}}});
      change(p);
    });
  };
  EXPECT_EQ(said([](auto &) {}), "");
  EXPECT_EQ(said([](auto &p) { p.outputs.pop_back(); }),
            "joined queries have the evidence and their posteriors");
  EXPECT_EQ(said([](auto &p) { std::swap(p.outputs[0], p.outputs[1]); }),
            "joined queries have the evidence and their posteriors");
  EXPECT_EQ(said([](auto &p) { p.outputs[1].normalised = false; }),
            "output q has rows for 1 variables");
  EXPECT_EQ(said([](auto &p) { p.asked[0].rowVariables = 2; }),
            "output q has rows for 2 variables");
  EXPECT_EQ(said([](auto &p) {
              p.asked[0].rowVariables = 0;
              p.outputs[1].normalised = false;
            }),
            "output q is no posterior");
}

TEST(VerifyLaneProgram, Columns) {
  const auto said = [](const BreakProgram &change) { return laneRefusal(change); };
  EXPECT_EQ(said([](auto &p) { p.schema.observed[0].variable = VarId{3}; }),
            "an observed column refers to variable 3 of 3");
  EXPECT_EQ(said([](auto &p) { p.schema.observed[0].extent = 3; }),
            "an observed column of variable a has 3 states instead of 2");
  EXPECT_EQ(said([](auto &p) { p.schema.observed[0].variable = VarId{2}; }),
            "an observed column of variable c, which is fixed");
  EXPECT_EQ(said([](auto &p) {
              p.schema.likelihoods.push_back({VarId{1}, 3});
            }),
            "variable b has a likelihood twice");
  EXPECT_EQ(said([](auto &p) { p.schema.params = {"x", "y", "x"}; }), "param x twice");
  EXPECT_EQ(said([](auto &p) {
              p.schema.tables = {{{}, 0, true}};
            }),
            "a table of the cases is empty");
  EXPECT_EQ(said([](auto &p) {
              p.schema.tables = {{{}, uint64_t{1} << 60, true}};
            }),
            "cases of 1152921504606846979 weights, the limit is 1099511627776");
}

TEST(VerifyLaneProgram, Values) {
  const auto said = [](const BreakProgram &change) { return laneRefusal(change); };
  const auto entries = [](std::vector<double> list) {
    return [list](LaneProgram &p) {
      p.values[0].values = std::make_shared<const std::vector<double>>(list);
    };
  };
  EXPECT_EQ(said([](auto &p) { p.values[0].values = nullptr; }), ""); // to be bound
  EXPECT_EQ(said([](auto &p) { p.values[0].sizeElems = 0; }), "the values of factor f are empty");
  EXPECT_EQ(said([](auto &p) { p.values[1].values = nullptr; }),
            "values without entries or a name");
  EXPECT_EQ(said(entries({1, 2})), "factor f has 2 values for 6 entries");
  EXPECT_EQ(said(entries({1, 2, 3, HUGE_VAL, 5, 6})), "factor f has the entry inf");
  EXPECT_EQ(said(entries({1, 2, 3, -1, 5, 6})), "");
  EXPECT_EQ(laneRefusal(entries({1, 2, 3, -1, 5, 6}), QueryKind::Mpe), "factor f has the entry -1");
}

TEST(VerifyLaneProgram, Tables) {
  const auto said = [](const BreakProgram &change) { return laneRefusal(change); };
  EXPECT_EQ(said([](auto &p) { p.tables[0].source = 2; }), "table f has source 2 of 2");
  EXPECT_EQ(said([](auto &p) { p.tables[0].sizeElems = 5; }), "table f has 5 entries instead of 6");
  EXPECT_EQ(said([](auto &p) { p.tables[2].source = 1; }), "table likelihood(b) has source 1 of 1");
  EXPECT_EQ(said([](auto &p) { p.tables[2].sizeElems = 4; }),
            "table likelihood(b) has 4 entries instead of 3");
  EXPECT_EQ(said([](auto &p) { p.tables.push_back(p.tables[2]); }),
            "the weights of number 0 have two tables");
  EXPECT_EQ(said([](auto &p) { p.tables[3].source = 1; }), "table indicator(a) has source 1 of 1");
  EXPECT_EQ(said([](auto &p) { p.tables[3].sizeElems = 9; }),
            "table indicator(a) has 9 entries instead of 6");
  EXPECT_EQ(said([](auto &p) { p.tables[4].sizeElems = 0; }), "table c0 is empty");
  EXPECT_EQ(said([](auto &p) { p.tables[8].offsetElems = 7; }),
            "message m1 needs 1 entries from 7 on, its arena has 7");
  EXPECT_EQ(said([](auto &p) { p.tables[5].offsetElems = UINT64_MAX; }),
            "message g0 needs 3 entries from 18446744073709551615 on, its arena has 7");
  EXPECT_EQ(said([](auto &p) { p.tables[4].kind = static_cast<LaneTableKind>(9); }),
            "table c0 is of kind 9");
}

TEST(VerifyLaneProgram, CommonOperations) {
  const auto said = [](const std::function<void(LaneOperation &)> &change) {
    return laneRefusal([&](LaneProgram &p) { change(p.commonOperations[0]); });
  };
  const std::string user = "a common operation that makes c0";
  EXPECT_EQ(said([](auto &o) { o.result.table = 9; }), "a common operation refers to table 9 of 9");
  EXPECT_EQ(said([](auto &o) { o.result.table = 6; }),
            "a common operation refers to m0, a table of another kind");
  EXPECT_EQ(said([](auto &o) { o.operands[0].table = 5; }),
            user + " refers to g0, a table of another kind");
  EXPECT_EQ(said([](auto &o) { o.operands[0].table = 3; }), ""); // an indicator
  EXPECT_EQ(said([](auto &o) { o.operands.clear(); }),
            user + ": 0 operands, an operation has 1 to 8");
  EXPECT_EQ(said([](auto &o) { o.operands[0].stridesElems.pop_back(); }),
            user + " has 2 strides for 3 digits");
  EXPECT_EQ(said([](auto &o) { o.operands[1].baseElems = 1; }),
            user + " reaches entry 6 of f, which has 6");
  EXPECT_EQ(said([](auto &o) { o.operands[1].stridesElems[2] = UINT64_MAX; }),
            user + " reaches entry 18446744073709551615 of f, which has 6");
  EXPECT_EQ(said([](auto &o) { o.semiring.reduce = Reduce::Max; }),
            user + " has a semiring of its own");
  EXPECT_EQ(said([](auto &o) { o.digits[2].extent = 0; }), user + ": digit 2 has extent 0");
}

TEST(VerifyLaneProgram, Steps) {
  const auto said = [](const std::function<void(LaneOperation &)> &change) {
    return laneRefusal([&](LaneProgram &p) { change(operationAt(p, 1)); });
  };
  const std::string user = "a step that makes m0";
  EXPECT_EQ(said([](auto &o) { o.result.table = 4; }),
            "a step refers to c0, a table of another kind");
  EXPECT_EQ(said([](auto &o) { o.operands[0].table = 3; }),
            user + " refers to indicator(a), a table of another kind");
  EXPECT_EQ(said([](auto &o) { o.digits[0].reduced = false; }),
            user + ": the result lacks kept digit 0");
  EXPECT_EQ(said([](auto &o) { o.result.baseElems = 1; }),
            user + " reaches entry 1 of m0, which has 1");
  EXPECT_EQ(said([](auto &o) { o.digits[0].extent = 2; }), "");
  EXPECT_EQ(laneRefusal([](LaneProgram &p) { p.tables[6].sizeElems = 2; }),
            "a step that makes m0: the result has 2 entries, its kept digits 1");
}

TEST(VerifyLaneProgram, Gathers) {
  const auto said = [](const std::function<void(LaneGather &)> &change, size_t step = 0) {
    return laneRefusal([&](LaneProgram &p) { change(gatherAt(p, step)); });
  };
  EXPECT_EQ(said([](auto &g) { g.message = 4; }), "a gather refers to c0, a table of another kind");
  EXPECT_EQ(said([](auto &g) { g.table = 6; }),
            "the gather of g0 refers to m0, a table of another kind");
  EXPECT_EQ(said([](auto &g) { g.codes.clear(); }), "the gather of g0 has no codes");
  EXPECT_EQ(said([](auto &g) { g.codes[0].column = 1; }),
            "the gather of g0 refers to column 1 of 1");
  EXPECT_EQ(said([](auto &g) { g.codes.push_back(g.codes[0]); }),
            "the gather of g0: its columns do not ascend");
  EXPECT_EQ(said([](auto &g) { g.codes[0].strideElems = 2; }),
            "the gather of g0 has stride 2 for rows of 3 entries");
  EXPECT_EQ(said([](auto &g) { g.codes[0].strideElems = 6; }),
            "the gather of g0 reaches entry 14 of c0, which has 9");
  EXPECT_EQ(said([](auto &g) { g.codes[0].strideElems = 0; }, 2),
            "the gather of g1 does not pick a row of indicator(a) by its own code");
  EXPECT_EQ(said([](auto &g) { g.table = 4; }, 2),
            "the gather of g1 picks 2 entries of c0, another one 3");
}

TEST(VerifyLaneProgram, MessagesAreWrittenOnceBeforeTheyAreRead) {
  const auto said = [](const BreakProgram &change) { return laneRefusal(change); };
  EXPECT_EQ(said([](auto &p) { std::swap(p.steps[0], p.steps[1]); }),
            "a step reads g0 before anything wrote it");
  EXPECT_EQ(said([](auto &p) { p.commonOperations.clear(); }),
            "a step reads c0 before anything wrote it");
  EXPECT_EQ(said([](auto &p) { p.steps.push_back(p.steps[0]); }), "g0 is written twice");
  EXPECT_EQ(said([](auto &p) { p.commonOperations.push_back(p.commonOperations[0]); }),
            "c0 is written twice");
  EXPECT_EQ(said([](auto &p) { p.steps.pop_back(); }),
            "an output reads m1 before anything wrote it");
  EXPECT_EQ(said([](auto &p) {
              p.tables.push_back({"m2", LaneTableKind::Message, 1, 0, 0});
            }),
            "nothing writes m2");
}

TEST(VerifyLaneProgram, MessagesKeepTheirEntriesUntilTheyWereRead) {
  const auto said = [](const BreakProgram &change) { return laneRefusal(change); };
  EXPECT_EQ(said([](auto &p) { p.tables[6].offsetElems = 2; }), // m0 on g0, which its step reads
            "messages g0 and m0 share memory while both are needed");
  EXPECT_EQ(said([](auto &p) { p.tables[7].offsetElems = 2; }), // g1 on m0, needed later
            "messages m0 and g1 share memory while both are needed");
  EXPECT_EQ(said([](auto &p) { p.tables[7].offsetElems = 1; }), ""); // on g0, which was read
  EXPECT_EQ(laneRefusal([](auto &p) { p.tables[7].offsetElems = 1; }, QueryKind::Marginals),
            "messages g0 and g1 share memory while both are needed");
}

TEST(VerifyLaneProgram, Outputs) {
  const auto said = [](const BreakProgram &change) {
    return laneRefusal(change, QueryKind::Marginals);
  };
  EXPECT_EQ(said([](auto &p) { p.outputs.clear(); }), "it has no output");
  EXPECT_EQ(said([](auto &p) { p.outputs[1].access.table = 4; }),
            "output a refers to c0, a table of another kind");
  EXPECT_EQ(said([](auto &p) { p.outputs[1].extents.clear(); }),
            "output a has 1 variables, 0 extents and 1 strides");
  EXPECT_EQ(said([](auto &p) { p.outputs[1].extents[0] = 3; }),
            "output a has 3 states of a instead of 2");
  EXPECT_EQ(said([](auto &p) { p.outputs[1].scope[0] = VarId{7}; }),
            "output a refers to variable 7 of 3");
  EXPECT_EQ(said([](auto &p) { p.outputs[1].access.stridesElems[0] = 2; }),
            "output a is not the whole of g1: its result has stride 2 where 1 is due");
  EXPECT_EQ(said([](auto &p) { p.outputs[1].access.table = 5; }),
            "output a is not the whole of g0: the result has 3 entries, its kept digits 2");
  EXPECT_EQ(said([](auto &p) { p.outputs[1].normalised = false; }),
            "output a is no posterior of one variable");
  EXPECT_EQ(said([](auto &p) { p.outputs.erase(p.outputs.begin()); }),
            "its first output is no number");
  EXPECT_EQ(said([](auto &p) { p.outputs.pop_back(); }), "variable b is put out 0 times");
  EXPECT_EQ(laneRefusal([](auto &p) { p.outputs[0].normalised = true; }),
            "output q of a query of kind evidence is normalised");
  EXPECT_EQ(laneRefusal([](auto &p) { p.outputs.push_back(p.outputs[0]); }),
            "2 outputs of a query of kind evidence for 1 tables");
}

TEST(VerifyLaneProgram, Traceback) {
  const auto said = [](const BreakProgram &change) { return laneRefusal(change, QueryKind::Mpe); };
  EXPECT_EQ(said([](auto &p) { p.traceback[0].variable = VarId{5}; }),
            "the traceback refers to variable 5 of 3");
  EXPECT_EQ(said([](auto &p) { std::swap(p.traceback[0], p.traceback[1]); }),
            "the traceback reads f by the state of a before it is decided");
  EXPECT_EQ(said([](auto &p) { p.traceback[1].tables[0].access.baseElems = 1; }),
            "the traceback reaches entry 6 of f, which has 6");
  EXPECT_EQ(said([](auto &p) { p.traceback[1].tables[0].scope.pop_back(); }),
            "the traceback has 2 strides for 1 variables of f");
  EXPECT_EQ(said([](auto &p) { p.traceback[1].tables[0].access.table = 3; }),
            "the traceback refers to indicator(a), a table of another kind");
  EXPECT_EQ(said([](auto &p) { p.traceback.pop_back(); }), "variable b is decided 0 times");
  EXPECT_EQ(
      laneRefusal([](auto &p) { p.traceback = test::smallLaneProgram(QueryKind::Mpe).traceback; }),
      "a query of kind evidence has a traceback");
}

} // namespace
} // namespace mpf
