#include "dsl/formats/cases/columns/entry_name.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

/// f(a, s[0]) over labels that need backquotes or look like numbers; h[1] over b; P(s[0] | b).
Model entryModel() {
  Model model;
  model.variables = {{"a", 2, {"no", "yes"}}, {"s[0]", 3, {"1", "x, y", "a=no"}}, {"b", 2, {}}};
  model.factors = {{"f", "f", {VarId{0}, VarId{1}}, nullptr},
                   {"h[1]", "h", {VarId{2}}, nullptr},
                   {"P(s[0])", "P(s)", {VarId{2}, VarId{1}}, nullptr, true}};
  return model;
}

std::optional<FactorId> factorNamed(std::string_view name) {
  const Model known = entryModel();
  for (size_t i = 0; i < known.factors.size(); ++i)
    if (known.factors[i].name == name)
      return FactorId{i};
  return std::nullopt;
}

/// Returns "1: 4" for entry 4 of factor 1, the problem, or "no factor".
std::string meaningOf(std::string_view name) {
  const auto entry = splitEntryName(name, factorNamed);
  if (!entry)
    return "no factor";
  if (entry->indices.empty())
    return fmt::format("{}: all", entry->factor.value);
  std::string problem;
  const Model model = entryModel();
  StateNames states(model, NumberReading::Both);
  const auto number = entryNumber(*entry, model, states, problem);
  EXPECT_EQ(number.has_value(), problem.empty());
  return number ? fmt::format("{}: {}", entry->factor.value, *number) : problem;
}

TEST(EntryName, SaysWhichEntry) {
  for (const auto &[name, meaning] : std::vector<std::pair<std::string, std::string>>{
           {"f[yes,`1`]", "0: 3"},
           {"f[yes][`a=no`]", "0: 5"},
           {"f[0][`1`]", "0: 0"},
           {"f[1,`x, y`]", "0: 4"},
           {"f[no][`a=no`]", "0: 2"},
           {"f[a=no][s[0]=a=no]", "0: 2"}, // the first name of a variable counts
           {"f[s[0]=`1`,a=yes]", "0: 3"},
           {"f [ s[0] = `x, y` ] [ a = yes ]", "0: 4"},
           {"f[a=yes][s[0]=`1`]", "0: 3"},
           {"h[1][1]", "1: 1"},
           {"h[1][b=0]", "1: 0"},
           {"h[1]", "1: all"},
           {"P(s[0])[1,`a=no`]", "2: 5"},
           {"P(s[0])", "2: all"},
           {"g[0]", "no factor"},
           {"h[0]", "no factor"},
           {"", "no factor"},
           {"[0]", "no factor"},
       })
    EXPECT_EQ(meaningOf(name), meaning) << name;
}

TEST(EntryName, SaysWhatIsWrong) {
  for (const auto &[name, message] : std::vector<std::pair<std::string, std::string>>{
           {"f[yes]", "'[yes]' has 1 indices, table 'f' has 2 variables (a, s[0])"},
           {"f[yes][1][1]", "'[yes][1][1]' has 3 indices, table 'f' has 2 variables (a, s[0])"},
           {"f[yes,1", "brackets are missing in '[yes,1'"},
           {"f[yes]x[1]", "brackets are missing in '[yes]x[1]'"},
           {"f[yes,`1]", "brackets are missing in '[yes,`1]'"},
           {"f[maybe,1]", "'maybe' is none of the 2 states of 'a'"},
           {"f[yes,`3`]", "'3' is none of the 3 states of 's[0]'"},
           {"f[yes,1]",
            "'1' is the label of state 0 of 's[0]' and the number of state 1 (label 'x, "
            "y'): a label stands in backquotes, and --states says what numbers are"},
           {"f[yes,0]", "'0' is no label of 's[0]' but the number of state 0 (label '1'): a label "
                        "stands in backquotes, and --states says what numbers are"},
           {"f[,1]", "'' is none of the 2 states of 'a'"},
           {"f[a=yes,b=0]", "table 'f' does not depend on 'b': its variables are a, s[0]"},
           {"f[a=yes,a=no]", "'[a=yes,a=no]' gives two states of 'a'"},
           {"f[yes,s[0]=`1`]", "some indices of '[yes,s[0]=`1`]' name their variable, some do not"},
           {"h[1][2]", "'2' is none of the 2 states of 'b'"},
       })
    EXPECT_EQ(meaningOf(name), message) << name;
}

TEST(EntryName, ReadsBackWhatItWrites) {
  const Model known = entryModel();
  for (size_t f = 0; f < known.factors.size(); ++f) {
    const Factor &factor = known.factors[f];
    for (uint64_t entry = 0; entry < scopeElems(known, factor.scope); ++entry) {
      const std::string name = entryName(known, factor, entry);
      EXPECT_EQ(meaningOf(name), fmt::format("{}: {}", f, entry)) << name;
    }
  }
  EXPECT_EQ(entryName(known, known.factors[0], 4), "f[yes][`x, y`]");
  EXPECT_EQ(rowName(known, known.factors[2], 1), "P(s[0])[1]");
}

} // namespace
} // namespace mpf
