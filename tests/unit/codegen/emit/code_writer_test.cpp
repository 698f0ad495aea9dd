#include "dsl/support/code_writer.h"

#include "dsl/support/error.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

TEST(CodeWriter, IndentsBlocksAndLeavesEmptyLinesBlank) {
  CodeWriter out;
  out.open("void f()");
  out.line("int x = {};", 3);
  out.text("");
  out.directive("#pragma unroll");
  out.open("for (;;)");
  out.text("break;");
  out.close();
  out.close();
  EXPECT_EQ(out.finish(), "void f() {\n"
                          "  int x = 3;\n"
                          "\n"
                          "#pragma unroll\n"
                          "  for (;;) {\n"
                          "    break;\n"
                          "  }\n"
                          "}\n");
}

TEST(CodeWriter, UnbalancedBlocksAreInternalErrors) {
  CodeWriter open;
  open.open("{");
  EXPECT_THROW(open.finish(), Error);
  CodeWriter closed;
  EXPECT_THROW(closed.close(), Error);
}

} // namespace
} // namespace mpf
