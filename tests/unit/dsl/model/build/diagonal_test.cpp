// Scopes that name a variable twice: the factor has the entries of the written table in which its
// axes agree, for every form of the table.
#include "dsl/model/diagonal.h"
#include "dsl/support/expression/table_formula.h"
#include "tests/support/trials.h"
#include "tests/unit/dsl/model/build_fixture.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <random>

namespace mpf {
namespace {

using namespace mpf::test;

/// A random scope over x0 (2 states), x1 (3) and x2 (2), with names that repeat.
struct Trial {
  std::vector<uint32_t> names, extents; ///< name and extent of each axis
  std::string scope;

  explicit Trial(std::mt19937_64 &random) {
    const size_t axes = 1 + random() % 4;
    for (size_t i = 0; i < axes; ++i) {
      names.push_back(static_cast<uint32_t>(random() % 3));
      extents.push_back(names.back() == 1 ? 3 : 2);
      scope += fmt::format("{}x{}", i == 0 ? "" : ", ", names.back());
    }
  }

  uint64_t elems() const {
    uint64_t product = 1;
    for (const uint32_t extent : extents)
      product *= extent;
    return product;
  }

  /// Returns the written entries in which axes with one name agree, in order.
  std::vector<uint64_t> diagonal() const {
    std::vector<uint64_t> entries;
    std::vector<uint32_t> states;
    for (uint64_t entry = 0; entry < elems(); ++entry) {
      statesAt(extents, entry, states);
      bool agrees = true;
      for (size_t i = 0; i < names.size(); ++i)
        for (size_t j = 0; j < i; ++j)
          agrees &= names[i] != names[j] || states[i] == states[j];
      if (agrees)
        entries.push_back(entry);
    }
    return entries;
  }

  /// Returns a map with an entry for each state of the first axis except the last; its default
  /// covers that.
  std::string mapOf(const std::vector<std::string> &values) const {
    const uint64_t block = elems() / extents.front();
    std::string text = "{";
    for (uint32_t state = 0; state + 1 < extents.front(); ++state)
      text += fmt::format("{}: [{}], ", state,
                          fmt::join(values.begin() + static_cast<ptrdiff_t>(state * block),
                                    values.begin() + static_cast<ptrdiff_t>((state + 1) * block),
                                    ", "));
    return text + fmt::format("default: [{}]}}", fmt::join(values, ", "));
  }
};

TEST(Diagonal, OfArraysMapsAndFilesHasTheEntriesThatAgree) {
  std::mt19937_64 random(7);
  for (int i = 0; i < trials(400); ++i) {
    const Trial trial(random);
    std::vector<std::string> values;
    MemoryFiles files;
    std::vector<double> &numbers = files.tables["dir/t.txt"].values;
    for (uint64_t entry = 0; entry < trial.elems(); ++entry) {
      // Some entries depend on a param that varies, so that the table has a formula.
      const bool varies = random() % 3 == 0;
      values.push_back(varies ? fmt::format("t * {}", entry + 1) : fmt::format("{}", entry + 1));
      numbers.push_back(static_cast<double>(entry + 1));
    }
    files.tables["dir/t.txt"].shape = {trial.elems()};
    BuildOptions options;
    options.files = files.access();
    options.params.varying = {"t"};
    const Built built =
        build(fmt::format("param t = 1\nvar x0, x2 : 2\nvar x1 : 3\n"
                          "factor a({0}) = [{1}]\nfactor m({0}) = {2}\nfactor f({0}) = "
                          "file(\"t.txt\")\n",
                          trial.scope, fmt::join(values, ", "), trial.mapOf(values)),
              options);
    ASSERT_TRUE(built.model) << built.messages;
    std::vector<double> wanted, doubled;
    for (const uint64_t entry : trial.diagonal()) {
      wanted.push_back(static_cast<double>(entry + 1));
      doubled.push_back(wanted.back() * (values[entry].front() == 't' ? 2 : 1));
    }
    for (const char *name : {"a", "m", "f"}) {
      const Factor &factor = *factorNamed(*built.model, name);
      EXPECT_EQ(*factor.values, wanted) << name << " over " << trial.scope;
      EXPECT_EQ(scopeElems(*built.model, factor.scope), wanted.size());
      if (factor.formula) {
        const double t = 2, *params[] = {&t};
        std::vector<double> table(wanted.size());
        FormulaEvaluator().evaluate(*factor.formula, params, 1, 1, table.data());
        EXPECT_EQ(table, doubled) << name << " over " << trial.scope;
      }
    }
    EXPECT_EQ(factorNamed(*built.model, "a")->formula != nullptr, wanted != doubled);
  }
}

TEST(Diagonal, OfFormulasIsTheFormulaOfTheVariables) {
  const Built built = build("param t = 3\nvar x, y : { no, yes }\n"
                            "factor f(x, y, x) = x == yes ? 2 * y + t : 1\n"
                            "factor g(x, y) = x == yes ? 2 * y + t : 1\n");
  ASSERT_TRUE(built.model) << built.messages;
  EXPECT_EQ(*factorNamed(*built.model, "f")->values, *factorNamed(*built.model, "g")->values);
}

TEST(Diagonal, TemplatesTakeItWhereTheirIndicesMeet) {
  const Built built =
      build("var x[2] : 2\nfor i in 0..2, j in 0..2: factor h(x[i], x[j]) = [1, 2, 3, 4]\n");
  ASSERT_TRUE(built.model) << built.messages;
  for (const char *name : {"h[0][0]", "h[1][1]"}) {
    EXPECT_EQ(factorNamed(*built.model, name)->scope.size(), 1u);
    EXPECT_EQ(*factorNamed(*built.model, name)->values, (std::vector<double>{1, 4}));
  }
  for (const char *name : {"h[0][1]", "h[1][0]"})
    EXPECT_EQ(*factorNamed(*built.model, name)->values, (std::vector<double>{1, 2, 3, 4}));
}

TEST(Diagonal, PlacesOfLongScopes) {
  WrittenScope scope;
  for (uint32_t i = 0; i < 4096; ++i) {
    scope.axes.emplace_back(i / 2);
    if (i % 2 == 0)
      scope.variables.emplace_back(i / 2);
  }
  const std::vector<uint32_t> places = placesOfAxes(scope);
  for (uint32_t i = 0; i < 4096; ++i)
    EXPECT_EQ(places[i], i / 2);
}

} // namespace
} // namespace mpf
