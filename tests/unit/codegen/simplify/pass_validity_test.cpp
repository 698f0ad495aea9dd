#include "codegen/simplify/simplify_pipeline.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace mpf {
namespace {

std::vector<std::string_view> passesFor(QueryKind kind) {
  Query query;
  query.kind = kind;
  SimplifyState state;
  state.query = &query;
  std::vector<std::string_view> names;
  for (const SimplifyPass &pass : simplifyPasses())
    if (pass.validity.holdsFor(state))
      names.push_back(pass.name);
  return names;
}

bool has(QueryKind kind, std::string_view pass) {
  const std::vector<std::string_view> names = passesFor(kind);
  return std::find(names.begin(), names.end(), pass) != names.end();
}

TEST(PassValidity, KindsThatRestoreNothingGetNoPass) {
  for (const QueryTraits &row : kQueryTraits)
    EXPECT_EQ(passesFor(row.kind).empty(), row.restored == Restored::Nothing) << row.name;
  EXPECT_TRUE(passesFor(QueryKind::Samples).empty());
}

TEST(PassValidity, PassesOptIn) {
  EXPECT_TRUE(has(QueryKind::Evidence, "barren"));
  EXPECT_FALSE(has(QueryKind::Marginals, "barren")); // it has a posterior
  EXPECT_TRUE(has(QueryKind::Joint, "components"));
  EXPECT_FALSE(has(QueryKind::Expression, "components")); // its value counts
  EXPECT_TRUE(has(QueryKind::Mpe, "merge-states"));
}

} // namespace
} // namespace mpf
