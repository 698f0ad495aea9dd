// Whole tables as fields of records: arrays of their shape.
#include "dsl/formats/cases/npy_cases.h"
#include "tests/unit/dsl/formats/cases/read_cases.h"
#include "tests/unit/dsl/formats/npy_text.h"
#include "tests/unit/dsl/formats/three_variables.h"

#include <gtest/gtest.h>

#include <cstring>

namespace mpf {
namespace {

using test::readAll;
using Weights = std::vector<std::vector<double>>;

/// f(rain, s[0][1]) with defaults, g(rain) without defaults, and h, which is no `input`.
Model tableModel() {
  Model model = threeVariables();
  const auto values = [](std::vector<double> list) {
    return std::make_shared<const std::vector<double>>(std::move(list));
  };
  model.factors = {{"f", "f", {VarId{0}, VarId{1}}, nullptr},
                   {"g", "g", {VarId{0}}, nullptr},
                   {"h", "h", {VarId{0}}, values({1, 2})}};
  model.factors[0].defaults = values({0, 1, 2, 3, 4, 5});
  return model;
}

template <class Item> std::string entriesOf(const std::vector<Item> &items) {
  std::string bytes(items.size() * sizeof(Item), '\0');
  std::memcpy(bytes.data(), items.data(), bytes.size());
  return bytes;
}

struct OpenedTables {
  std::string text;
  std::unique_ptr<CaseSource> cases;
  std::string messages;
};

OpenedTables openTables(const std::string &fields, const std::string &entries, size_t rows,
                        const ColumnChoice &choice = {}) {
  OpenedTables opened;
  opened.text = test::npy("{'descr': [" + fields + "], 'fortran_order': False, 'shape': (" +
                              std::to_string(rows) + ",), }\n",
                          entries);
  Diagnostics diagnostics;
  opened.cases = openNpyCases(InputStream("c.npy", opened.text), tableModel(), diagnostics, choice);
  opened.messages = renderDiagnostics(diagnostics);
  return opened;
}

TEST(NpyTables, AnArrayIsTheWholeTable) {
  const std::string row1 = entriesOf<float>({1, 2, 3, 4, 5, 6}) + entriesOf<int32_t>({1}) +
                           entriesOf<double>({7, 8}),
                    row2 = entriesOf<float>({-1, NAN, -3, -4, -5, NAN}) + entriesOf<int32_t>({-1}) +
                           entriesOf<double>({9, 10});
  for (const char *const shape : {"(2, 3)", "(6,)"}) {
    const OpenedTables opened =
        openTables(std::string("('f', '<f4', ") + shape + "), ('rain', '<i4'), ('g', '<f8', (2,))",
                   row1 + row2, 2);
    ASSERT_TRUE(opened.cases) << opened.messages;
    EXPECT_EQ(opened.cases->schema().tables[0].columnCount, 6U);
    const test::ReadCases read = readAll(*opened.cases);
    EXPECT_EQ(read.error, "");
    EXPECT_EQ(read.codes, (std::vector<std::vector<uint32_t>>{{1}, {2}}));
    EXPECT_EQ(read.weights, (Weights{{1, 2, 3, 4, 5, 6, 7, 8}, {-1, 1, -3, -4, -5, 5, 9, 10}}))
        << "row-major, NaN is the default";
  }
}

TEST(NpyTables, AFieldThatIsLeftOutMayBeAnyArray) {
  const std::string row = entriesOf<int32_t>({9, 9, 9, 1}) + entriesOf<double>({7, 8});
  const OpenedTables opened = openTables(
      "('when', '<i4', (3,)), ('rain', '<i4'), ('g', '<f8', (2,))", row, 1, {{"when"}, {}, false});
  ASSERT_TRUE(opened.cases) << opened.messages;
  EXPECT_EQ(readAll(*opened.cases).weights, (Weights{{7, 8}}));
}

TEST(NpyTables, OneNumberMayBeAnArrayOfOne) {
  const OpenedTables opened = openTables("('rain', '<i4', (1,)), ('g', '<f8', (2,))",
                                         entriesOf<int32_t>({1}) + entriesOf<double>({7, 8}), 1);
  ASSERT_TRUE(opened.cases) << opened.messages;
  EXPECT_EQ(readAll(*opened.cases).codes, (std::vector<std::vector<uint32_t>>{{1}}));
}

TEST(NpyTables, ArraysOfAnotherShape) {
  const std::string six = entriesOf<double>({1, 2, 3, 4, 5, 6});
  for (const auto &[fields, message] : std::vector<std::pair<std::string, const char *>>{
           {"('f', '<f8', (3, 2))",
            "its field 'f' is an array of shape (3, 2), the table has (2, 3)"},
           {"('g', '<f8', (6,))", "its field 'g' is an array of shape (6), the table has (2)"},
           {"('g', '<f8', (2,)), ('f[yes][1]', '<f8', (4,))",
            "its field 'f[yes][1]' is an array of shape (4): only a whole table is one"},
           {"('h', '<f8', (6,))", "error: table 'h' is not declared `input`"},
           {"('g', '<f8', (2,)), ('rain=no', '<f8', (2,)), ('rain=yes', '<f8', (2,))",
            "its field 'rain=no' is an array of shape (2): only a whole table is one"}}) {
    const OpenedTables opened = openTables(fields, six, 1);
    EXPECT_FALSE(opened.cases) << fields;
    EXPECT_NE(opened.messages.find(message), std::string::npos) << opened.messages;
  }
}

} // namespace
} // namespace mpf
