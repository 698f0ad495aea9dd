// Names of the fields of records beyond ASCII.
#include "dsl/formats/cases/npy_cases.h"
#include "tests/unit/dsl/formats/npy_text.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

// numpy writes headers in Latin-1 if it has all characters (versions 1 and 2), else in UTF-8.
TEST(NpyNames, NamesBeyondAscii) {
  Model model;
  model.variables = {{"\xc3\xa9t\xc3\xa9", 2, {}}, {"\xce\xb8", 2, {}}}; // ete with accents, theta
  const auto open = [&](const std::string &name, char major) {
    const std::string header =
        "{'descr': [('" + name + "', '|i1')], 'fortran_order': False, 'shape': (1,), }\n";
    const std::string file = test::npy(header, "\x01", major);
    Diagnostics diagnostics;
    return openNpyCases(InputStream("c.npy", file), model, diagnostics);
  };
  for (const char major : {'\x01', '\x02'}) {
    const auto opened = open("\xe9t\xe9", major);
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->schema().observed[0].variable, VarId{0});
    EXPECT_FALSE(open("\xc3\xa9t\xc3\xa9", major) != nullptr)
        << "two letters, A with a tilde first";
  }
  const auto opened = open("\xce\xb8", 3);
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->schema().observed[0].variable, VarId{1});
  EXPECT_FALSE(open("\xe9t\xe9", 3) != nullptr);
}

} // namespace
} // namespace mpf
