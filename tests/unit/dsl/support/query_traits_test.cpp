#include "dsl/support/query_traits.h"

#include "dsl/support/enumerators.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

TEST(QueryTraits, NamesAndKeywordsReadBack) {
  for (const QueryTraits &row : kQueryTraits) {
    EXPECT_EQ(queryKindNamed(row.name), row.kind) << row.name;
    EXPECT_EQ(queryKindName(row.kind), row.name);
    if (row.isShortForm()) {
      EXPECT_EQ(queryKindOfKeyword(row.keyword), row.kind) << row.keyword;
    }
  }
  EXPECT_EQ(queryKindOfKeyword("P"), QueryKind::Joint);
  EXPECT_FALSE(queryKindOfKeyword("joint")); // its name, but not its keyword
  EXPECT_FALSE(queryKindOfKeyword(""));      // an expression has no keyword
  EXPECT_FALSE(queryKindNamed("posterior"));
}

TEST(QueryTraits, TasksHaveAShortForm) {
  EXPECT_EQ(queryKindOfTask(UaiTask::Pr), QueryKind::Evidence); // and not an expression
  EXPECT_EQ(queryKindOfTask(UaiTask::Mar), QueryKind::Marginals);
  EXPECT_EQ(queryKindOfTask(UaiTask::Mpe), QueryKind::Mpe);
  EXPECT_FALSE(queryKindOfTask(UaiTask::Mmap));
}

TEST(QueryTraits, CasesHaveColumnsForOneAssignment) {
  QueryTraits traits{.kind = QueryKind::Samples};
  EXPECT_TRUE(traits.fitsCases());
  traits.decoding = Decoding::Argmax;
  EXPECT_TRUE(traits.fitsCases());
  traits.decoding = static_cast<Decoding>(1); // a decoding that may be added
  EXPECT_FALSE(traits.fitsCases());
}

TEST(Enumerators, CastsAreNone) {
  enum class Two { First, Second };
  EXPECT_TRUE(isEnumerator<Two::Second>());
  EXPECT_TRUE(isEnumerator<static_cast<Two>(0)>());
  EXPECT_FALSE(isEnumerator<static_cast<Two>(2)>());
}

} // namespace
} // namespace mpf
