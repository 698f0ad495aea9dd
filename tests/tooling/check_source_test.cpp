// No raw access is left in emitted kernels, and planted ones are found.
#include "codegen/emit/check_source.h"
#include "codegen/emit/emit_cuda.h"
#include "tests/unit/emit/hand_plans.h"
#include "tests/unit/emit/random_plan.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

namespace mpf {
namespace {

std::string findingsOf(const std::string &source) {
  std::string text;
  for (const SourceFinding &finding : checkCudaSource(source))
    text += fmt::format("{}:{}: {}\n", finding.line, finding.column, finding.message);
  return text;
}

/// The findings in a kernel with `body` and parameters `float *f`, `const float *g`.
std::string findingsIn(const std::string &body) {
  return findingsOf(fmt::format("struct Pair {{ float a, b; }};\n"
                                "extern \"C\" __global__ void k(float *f, const float *g,\n"
                                "                             Pair *pairs, int i) {{\n"
                                "{}\n"
                                "}}\n",
                                body));
}

TEST(CheckSource, EmittedKernelsAreClean) {
  std::string source(kCudaPreamble);
  for (uint64_t seed = 0; seed < 150; ++seed)
    source += emitCuda(test::randomPlan(seed)).text;
  source += emitCuda(test::pairTile(256, 256, 64)).text;
  source += emitCuda(test::oneStepStream(1000, 3, ElementType::F32)).text;
  EXPECT_EQ(findingsOf(source), "");
}

TEST(CheckSource, EmittedKernelWithoutItsMacroIsFound) {
  std::string source = cudaSource(test::oneStepStream(1000, 3, ElementType::F32));
  const size_t load = source.rfind("MPF_LD(3, ");
  ASSERT_NE(load, std::string::npos);
  source.replace(load, 10, "((");
  source.replace(source.find(')', load), 1, "))");
  EXPECT_NE(findingsOf(source), "");
}

TEST(CheckSource, RawAccessesAreFoundWhereTheyStand) {
  EXPECT_EQ(findingsIn("MPF_ST(3, f[i], 1.0f);"), "");
  EXPECT_EQ(findingsIn("f[i] = 1.0f;"), "4:1: subscript of a pointer\n");
  EXPECT_EQ(findingsIn("MPF_ST(3, f[i], *g);"), "4:1: dereference of a pointer\n");
  EXPECT_EQ(findingsIn("MPF_ST(3, f[static_cast<int>(g[i])], 1.0f);"),
            "4:1: subscript of a pointer\n");
  EXPECT_EQ(findingsIn("const float x = pairs->a;"), "4:17: member of a pointer's target\n");
  EXPECT_EQ(findingsIn("const Pair x = MPF_LD(3, pairs[i]);"), "");
}

TEST(CheckSource, SharedMemoryCountsAndRegistersDoNot) {
  EXPECT_EQ(findingsIn("MPF_SHARED(float, s, 8);\ns[i] = 1.0f;"), "5:1: subscript of a pointer\n");
  EXPECT_EQ(findingsIn("MPF_SHARED(float, s, 8);\nMPF_ST(3, s[i], 1.0f);"), "");
  EXPECT_EQ(findingsIn("__shared__ float s;\nconst float x = s;"), "5:17: shared variable\n");
  EXPECT_EQ(findingsIn("float r[4];\nr[i & 3] = 1.0f;"), "");
}

TEST(CheckSource, PointersMustNotEscapeIntoOtherFunctions) {
  const std::string helper = "__device__ void read(const float *x);\n";
  EXPECT_NE(findingsOf(helper + "__global__ void k(const float *f) { read(f + 1); }"), "");
  EXPECT_EQ(findingsOf(helper + "__global__ void k() { float r[2]; read(r + 1); }"), "");
  EXPECT_EQ(findingsIn("atomicAdd(&f[i], 1.0f);"), "");
}

TEST(CheckSource, SyntaxErrorsAreFindings) {
  EXPECT_NE(findingsIn("float x = ;").find("expected expression"), std::string::npos);
  EXPECT_NE(findingsIn("unknown(1);").find("unknown"), std::string::npos);
}

} // namespace
} // namespace mpf
