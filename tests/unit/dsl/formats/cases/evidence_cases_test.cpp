#include "dsl/formats/cases/evidence_cases.h"

#include <gtest/gtest.h>

#include "tests/unit/dsl/formats/cases/read_cases.h"

namespace mpf {
namespace {

TEST(EvidenceCases, WhatAllCasesShareIsNoColumn) {
  constexpr uint32_t kNone = Evidence::kNotObserved;
  Evidence evidence =
      listedEvidence({VarId{5}, VarId{2}, VarId{7}}, {1, 0, 3, 1, kNone, 3, 1, 1, kNone}, 3);
  evidence.likelihoods = {FactorId{4}};
  const SplitEvidence split = splitListedEvidence(
      evidence, [](VarId id) { return id.value + 1; }, "e");
  EXPECT_FALSE(split.common.listed);
  EXPECT_EQ(split.common.state(VarId{5}), 1u);
  EXPECT_EQ(split.common.findings.size(), 1u);
  EXPECT_EQ(split.common.likelihoods, evidence.likelihoods);
  ASSERT_EQ(split.cases->schema().observed.size(), 2u);
  EXPECT_EQ(split.cases->schema().observed[0].variable, VarId{2});
  EXPECT_EQ(split.cases->schema().observed[1].extent, 8u);
  EXPECT_EQ(test::readAll(*split.cases, 2).codes,
            (std::vector<std::vector<uint32_t>>{{0, 3}, {3, 3}, {1, 8}}));
}

TEST(EvidenceCases, AnEmptyListHasItsColumns) {
  const SplitEvidence split = splitListedEvidence(
      listedEvidence({VarId{1}}, {}, 0), [](VarId) { return 2u; }, "e");
  EXPECT_EQ(split.cases->schema().observed.size(), 1u);
  EXPECT_TRUE(test::readAll(*split.cases).codes.empty());
}

} // namespace
} // namespace mpf
