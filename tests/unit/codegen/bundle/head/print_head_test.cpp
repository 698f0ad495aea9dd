// Tests the head of a program in a file: it is read as it was written, and its faults are refused.
#include "codegen/bundle/head/print_head.h"

#include "codegen/bundle/bundle_json.h"
#include "codegen/bundle/forms/program_file.h"
#include "dsl/support/error.h"
#include "tests/oracle/bundle_builder.h"
#include "tests/support/input_error.h"

#include <functional>
#include <gtest/gtest.h>

namespace mpf {
namespace {

Bundle bundleWithHead() {
  oracle::BundleBuilder builder;
  const VarId x = builder.variable(3), y = builder.variable(4);
  const BufferId f = builder.input({x, y}, std::vector<double>(12, 0.5));
  builder.output(builder.operation({Reduce::Sum, Combine::Times}, {f}, {}));
  Bundle bundle = builder.finish();
  bundle.name = "Z";
  bundle.kind = QueryKind::Evidence;
  return bundle;
}

/// The message of a file of the sample whose head has one part, which it must have, exchanged.
std::string headFaultWith(std::string_view part, std::string_view other) {
  Bundle bundle = bundleWithHead();
  bundle.variables[1].labels = {"a", "b", "c", "d e"};
  std::string head = headLine("tables", bundle) + "\n";
  printHead(head, bundle, EntryText::Printed);
  const size_t at = head.find(part);
  if (at == std::string::npos)
    return "not in " + head;
  head.replace(at, part.size(), other);
  std::string file = sectionFileHeader();
  appendSection(file, SectionKind::Form, "tables");
  appendSection(file, SectionKind::Text, head);
  appendSection(file, SectionKind::Body, bundleToJson(bundle, BundleText::Complete, -1));
  for (const auto &table : bundle.tables)
    appendTable(file, *table);
  return inputErrorOf([&] { parseAs<Bundle>(file); });
}

TEST(ProgramHead, SaysWhatIsWrong) {
  EXPECT_EQ(headFaultWith("tables Z", "tables Z"), "");
  const auto expectFault = [](std::string_view part, std::string_view other,
                              std::string_view fault) {
    const std::string message = headFaultWith(part, other);
    EXPECT_NE(message.find(fault), std::string::npos) << message;
  };
  expectFault("tables Z", "lanes Z", "expected a line 'tables NAME KIND TYPE'");
  expectFault("Z evidence", "Z guesses", "no kind of query");
  expectFault("f64", "f63", "no element type");
  expectFault("f64", "f64 sum-product", "sum-product");
  expectFault("extent=3", "extent=4294967296", "extent");
  expectFault("extent=3", "extent=-3", "extent");
  expectFault("extent=3", "extent=0", "has no states");
  expectFault("extent=3", "extent=3 observed=3", "is observed in state 3, it has 3 states");
  expectFault("extent=3", "extent=3 seen=1", "fixed");
  expectFault("\"d e\"", "", "has 3 labels for 4 states");
  expectFault("variable", "table", "expected a line of a program's head");
  expectFault("\nvariable", "\nobserved 0\nvariable", "there is no variable yet");
  expectFault("labels", "\nobserved 0 #", "it has columns of cases");
}

TEST(ProgramHead, IsReadAsItWasWritten) {
  Bundle bundle = bundleWithHead();
  bundle.variables[0].auxiliary = true;
  bundle.variables[1].unasked = true;
  bundle.variables.push_back({"an \"x\" y", 2, {"no #", "yes"}});
  bundle.variables.push_back({"z", 3, {}});
  bundle.evidence.add({{VarId{2}, 1}, {VarId{3}, 2}});
  bundle.evidence.findings[1].fixed = true;
  const Bundle read = parseAs<Bundle>(programBytes(bundle));
  EXPECT_TRUE(read.variables[0].auxiliary && read.variables[1].unasked);
  EXPECT_EQ(read.variables[2].name, bundle.variables[2].name);
  EXPECT_EQ(read.variables[2].labels, bundle.variables[2].labels);
  EXPECT_EQ(read.evidence.state(VarId{2}), 1u);
  EXPECT_FALSE(read.evidence.find(VarId{2})->fixed);
  EXPECT_TRUE(read.evidence.find(VarId{3})->fixed);
}

} // namespace
} // namespace mpf
