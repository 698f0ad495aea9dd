#include "dsl/support/evidence.h"
#include "dsl/support/format_id.h"

#include "dsl/support/error.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

constexpr uint32_t kNone = Evidence::kNotObserved;

std::string show(const std::vector<Observation> &observations) {
  std::string text;
  for (const Observation &seen : observations)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", seen.variable, seen.state);
  return text;
}

TEST(Evidence, NothingIsObservedAtFirst) {
  const Evidence evidence;
  EXPECT_EQ(evidence.caseCount, 1u);
  EXPECT_FALSE(evidence.observes(VarId(0)));
  EXPECT_EQ(evidence.state(VarId(0)), std::nullopt);
  EXPECT_TRUE(evidence.observations().empty());
}

TEST(Evidence, ObservationsAreMergedInTheOrderOfVariables) {
  Evidence evidence;
  evidence.add({{VarId(5), 2}, {VarId(1), 0}});
  evidence.add({{VarId(7), 1}, {VarId(3), 4}, {VarId(0), 6}});
  evidence.add({});
  EXPECT_EQ(show(evidence.observations()), "0=6 1=0 3=4 5=2 7=1");
  EXPECT_EQ(evidence.state(VarId(3)), 4u);
  EXPECT_EQ(evidence.find(VarId(2)), nullptr);
  EXPECT_EQ(evidence.find(VarId(7))->variable, VarId(7));
}

TEST(Evidence, FixedFindingsStayFixed) {
  Evidence evidence;
  evidence.add({{VarId(4), 1}});
  evidence.findings[0].fixed = true;
  evidence.add({{VarId(2), 0}});
  EXPECT_FALSE(evidence.find(VarId(2))->fixed);
  EXPECT_TRUE(evidence.find(VarId(4))->fixed);
}

TEST(Evidence, AVariableIsObservedOnce) {
  Evidence evidence;
  evidence.add({{VarId(4), 1}});
  EXPECT_THROW(evidence.add({{VarId(4), 0}}), Error);
  EXPECT_THROW(evidence.add({{VarId(1), 0}, {VarId(1), 0}}), Error);
  EXPECT_THROW(evidence.setState(VarId(1), 0), Error);
  EXPECT_EQ(show(evidence.observations()), "4=1");
}

TEST(Evidence, ColumnsOfListedCasesAreSorted) {
  const Evidence cases = listedEvidence({VarId(6), VarId(2)}, {1, 0, kNone, 3, kNone, kNone}, 3);
  EXPECT_TRUE(cases.listed);
  EXPECT_EQ(cases.states, (std::vector<uint32_t>{0, 1, 3, kNone, kNone, kNone}));
  EXPECT_EQ(show(cases.observations(0)), "2=0 6=1");
  EXPECT_EQ(show(cases.observations(1)), "2=3");
  EXPECT_EQ(show(cases.observations(2)), "");
  EXPECT_EQ(cases.state(VarId(6), 0), 1u);
  EXPECT_EQ(cases.state(VarId(6), 1), std::nullopt);
  EXPECT_TRUE(cases.observes(VarId(6)));
}

TEST(Evidence, CasesMayBeNone) {
  Evidence cases = listedEvidence({VarId(1)}, {}, 0);
  cases.add({{VarId(0), 1}});
  EXPECT_EQ(cases.findings.size(), 2u);
  EXPECT_EQ(cases.caseCount, 0u);
  EXPECT_TRUE(cases.states.empty());
}

TEST(Evidence, WhatHoldsInEveryCaseJoinsAllOfThem) {
  Evidence cases = listedEvidence({VarId(3)}, {1, kNone}, 2);
  EXPECT_EQ(cases.entriesWith(2), 6u);
  cases.add({{VarId(5), 2}, {VarId(0), 4}});
  EXPECT_EQ(show(cases.observations(0)), "0=4 3=1 5=2");
  EXPECT_EQ(show(cases.observations(1)), "0=4 5=2");
  cases.setState(VarId(5), 0, 1);
  EXPECT_EQ(cases.state(VarId(5), 0), 2u);
  EXPECT_EQ(cases.state(VarId(5), 1), 0u);
}

TEST(Evidence, StatesByVariableAreZeroWhereNothingIsKnown) {
  Evidence evidence;
  evidence.add({{VarId(2), 3}});
  EXPECT_EQ(statesByVariable(evidence, 4), (std::vector<uint32_t>{0, 0, 3, 0}));
}

TEST(Evidence, FaultsAreNamed) {
  const std::vector<EvidenceVariable> variables = {{"a", 2}, {"b", 3}, {"c", 2}};
  const auto faultOf = [&variables](auto change) {
    Evidence evidence;
    evidence.add({{VarId(0), 1}, {VarId(1), 2}});
    change(evidence);
    return findEvidenceFault(evidence, variables);
  };
  EXPECT_EQ(faultOf([](Evidence &) {}), "");
  EXPECT_EQ(faultOf([](Evidence &e) { e.findings[1].variable = VarId(3); }),
            "evidence for variable 3 of 3");
  EXPECT_EQ(faultOf([](Evidence &e) { e.findings[1].variable = VarId(0); }),
            "evidence for variable 'a' is out of order");
  EXPECT_EQ(faultOf([](Evidence &e) { e.caseCount = 2; }), "2 cases, but no list of cases");
  EXPECT_EQ(faultOf([](Evidence &e) { e.states.pop_back(); }),
            "1 states of 2 observed variables in 1 cases");
  EXPECT_EQ(faultOf([](Evidence &e) { e.states[1] = 3; }),
            "variable 'b' is observed in state 3, it has 3 states");
  EXPECT_NE(faultOf([](Evidence &e) { e.states[1] = kNone; }), "");
  EXPECT_EQ(findEvidenceFault(listedEvidence({VarId(2)}, {1, kNone}, 2), variables), "");
}

TEST(Evidence, LikelihoodsAreFactors) {
  Evidence evidence;
  evidence.likelihoods = {FactorId(2), FactorId(9)};
  EXPECT_TRUE(evidence.isLikelihood(FactorId(9)));
  EXPECT_FALSE(evidence.isLikelihood(FactorId(3)));
}

} // namespace
} // namespace mpf
