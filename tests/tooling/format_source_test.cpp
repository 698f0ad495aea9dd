#include "codegen/emit/tooling/format_source.h"

#include "codegen/emit/emit_cpp.h"
#include "tests/unit/codegen/emit/hand_plans.h"

#include <gtest/gtest.h>
#include <sstream>

namespace mpf {
namespace {

TEST(FormatSource, LaysOutText) {
  EXPECT_EQ(formatSource("void f( ){\nint  x=1 ;\n}\n"), "void f() { int x = 1; }\n");
}

TEST(FormatSource, EmittedTextFits100ColumnsAndStaysAsItIs) {
  const std::string formatted = formatSource(cppSource(test::pairTile(256, 256, 32)));
  std::istringstream lines(formatted);
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), 100u) << line;
  EXPECT_EQ(formatSource(formatted), formatted);
}

} // namespace
} // namespace mpf
