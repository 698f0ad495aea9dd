// Tests that emitted kernels have no raw access, and that planted ones are found.
#include "codegen/emit/emit_cuda.h"
#include "codegen/emit/lane_kernel_choice.h"
#include "codegen/emit/lanes/lane_kernel_parts.h"
#include "codegen/emit/lanes/team_source.h"
#include "codegen/emit/nest/preambles.h"
#include "codegen/emit/table_driven_source.h"
#include "codegen/emit/tooling/check_source.h"
#include "codegen/kernel/build/build_chain.h"
#include "tests/unit/codegen/kernel/hand_plans.h"
#include "tests/unit/codegen/kernel/planned_suite.h"
#include "tests/unit/codegen/kernel/random_chain.h"
#include "tests/unit/codegen/kernel/random_plan.h"
#include "tests/unit/codegen/lanes/lane_programs.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <map>

namespace mpf {
namespace {

std::string findingsOf(const std::string &source, size_t trustedBytes) {
  std::string text;
  for (const SourceFinding &finding : checkCudaSource(source, trustedBytes))
    text += fmt::format("{}:{}: {}\n", finding.line, finding.column, finding.message);
  return text;
}

std::string findingsOf(const std::string &source) {
  return findingsOf(source, preambleBytes(source));
}

KernelFile kernelFile(const std::string &source) {
  return checkKernelFile(source, preambleBytes(source));
}

/// Returns the findings in a kernel with `body` and parameters `float *f`, `const float *g`.
std::string findingsIn(const std::string &body) {
  return findingsOf(fmt::format("struct Pair {{ float a, b; }};\n"
                                "extern \"C\" __global__ void k(float *f, const float *g,\n"
                                "                             Pair *pairs, int i) {{\n"
                                "{}\n"
                                "}}\n",
                                body));
}

TEST(CheckSource, EmittedKernelsAreClean) {
  std::string source = fmt::format("{}{}", kCudaPreamble, kPackedPreamble);
  for (uint64_t seed = 0; seed < 150; ++seed)
    source += emitCuda(test::randomPlan(seed)).text;
  source += emitCuda(test::pairTile(256, 256, 64)).text;
  source += emitCuda(test::oneStepStream(1000, 3, ElementType::F32)).text;
  EXPECT_EQ(findingsOf(source), "");
}

/// Every family, arithmetic and type; pages in flight.
TEST(CheckSource, PlannedKernelsAreClean) {
  const Target target = targetNamed("sm_90");
  test::SuiteOptions families{target, true, true, true};
  families.types = {ElementType::F32, ElementType::F64, ElementType::U64, ElementType::U128};
  test::SuiteOptions pipelined{target, false, true, false};
  pipelined.stages = 3;
  std::map<std::string, KernelPlan> kernels;
  for (const test::SuiteShape &shape : test::smallShapes())
    for (const test::SuiteOptions &options : {families, pipelined})
      for (test::SuiteKernel &kernel : test::kernelsOf(shape, options))
        kernels.try_emplace(kernel.plan.header().name, std::move(kernel.plan));
  ASSERT_GE(kernels.size(), 50u);
  std::vector<KernelPlan> plans;
  std::string texts;
  for (auto &[name, plan] : kernels) {
    texts += emitCuda(plan).text;
    plans.push_back(std::move(plan));
  }
  EXPECT_EQ(findingsOf(cudaPreamble(plans) + texts), "");
}

TEST(CheckSource, ChainsAreClean) {
  ChainOptions options;
  options.target = targetNamed("sm_90");
  std::map<std::string, std::string> texts; // by name
  for (uint64_t seed = 0; seed < 40; ++seed) {
    options.type = seed % 2 == 0 ? ElementType::F32 : ElementType::F64;
    options.valueForm = seed % 4 < 2 ? ValueForm::Linear : ValueForm::Log;
    if (const auto plan = buildChain(test::randomChain(seed), options))
      texts.try_emplace(plan->name, emitCuda(*plan).text);
  }
  ASSERT_GE(texts.size(), 20u);
  std::string source(kCudaPreamble);
  for (const auto &[name, text] : texts)
    source += text;
  EXPECT_EQ(findingsOf(source), "");
}

/// Kernels of lanes, of a thread for each case and of teams; table-driven teams.
TEST(CheckSource, KernelsOfLanesAreClean) {
  for (const ElementType type : {ElementType::F32, ElementType::F64}) {
    LaneProgram program = test::smallLaneProgram(QueryKind::Marginals);
    program.type = type;
    const CommonTables common = test::commonOf(program);
    const LinearPlan plan = planLinear(program, common, type);
    LaneLimitsOfDevice noThreads;
    noThreads.threads.terms = 0;
    for (const LaneLimitsOfDevice &limits : {LaneLimitsOfDevice(), noThreads}) {
      const auto kernel = emitLaneKernel(program, common, plan, type, limits);
      ASSERT_TRUE(kernel);
      const size_t head = laneHeadBytes(kernel->source);
      EXPECT_EQ(findingsOf(kernel->source, head), "");
      const KernelFile file = checkKernelFile(kernel->source, head);
      ASSERT_EQ(file.kernels.size(), 1u);
      EXPECT_EQ(file.kernels[0].name, kernel->name);
      EXPECT_EQ(file.kernels[0].mostThreads, kernel->blockThreads);
    }
    const std::string teams = teamSource(type);
    EXPECT_EQ(findingsOf(teams, teamHeadBytes(type)), "");
  }
}

TEST(CheckSource, EmittedKernelWithoutItsMacroIsFound) {
  std::string source = cudaSource(test::oneStepStream(1000, 3, ElementType::F32));
  const size_t load = source.rfind("MPF_LD(3, ");
  ASSERT_NE(load, std::string::npos);
  source.replace(load, 10, "((");
  source.replace(source.find(')', load), 1, "))");
  EXPECT_NE(findingsOf(source), "");
}

class TableDriven : public testing::TestWithParam<ElementType> {};

TEST_P(TableDriven, KernelsAreClean) {
  EXPECT_EQ(findingsOf(tableDrivenSource(GetParam(), true)), "");
}

class TableDrivenSums : public TableDriven {};

TEST_P(TableDrivenSums, ALineWithoutItsMacroIsFound) {
  const std::string source = tableDrivenSource(GetParam(), true);
  const std::vector<std::pair<std::string, std::string>> raw = {
      {"MPF_LD(MPF_SITE_OPERAND, table[offset])", "table[offset]"},
      {"MPF_LD(MPF_SITE_OPERATION, op->table[i])", "op->table[i]"},
      {"MPF_LD(MPF_SITE_EXTENT, digits[d].extent)", "digits[d].extent"},
      {"MPF_ST(MPF_SITE_RESULT, table[offset], log)", "table[offset] = log"},
      {"MPF_LD(MPF_SITE_TASK, task->counter)", "task->counter"},
      {"MPF_LD(MPF_SITE_LAST, *memory.last)", "*memory.last"},
      {"MPF_LD(MPF_SITE_OPERATION, op->operandCount)", "op->operandCount"}};
  for (const auto &[macro, access] : raw) {
    std::string planted = source;
    const size_t at = planted.find(macro);
    ASSERT_NE(at, std::string::npos) << macro;
    planted.replace(at, macro.size(), access);
    EXPECT_NE(findingsOf(planted), "") << access;
  }
}

INSTANTIATE_TEST_SUITE_P(Types, TableDriven,
                         testing::Values(ElementType::F32, ElementType::F64, ElementType::U64,
                                         ElementType::U128));
INSTANTIATE_TEST_SUITE_P(Types, TableDrivenSums,
                         testing::Values(ElementType::F32, ElementType::F64));

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

TEST(CheckSource, DeviceFunctionsAreCheckedAndMayHandPointersOn) {
  const std::string kernel =
      "__global__ void k(const float *f, float *r) { MPF_ST(3, r[0], g(f)); }";
  EXPECT_EQ(findingsOf("__device__ float g(const float *f) { return MPF_LD(4, f[1]); }\n" + kernel),
            "");
  EXPECT_EQ(findingsOf("__device__ float g(const float *f) { return f[1]; }\n" + kernel),
            "1:45: subscript of a pointer\n");
  EXPECT_EQ(findingsOf("template <class T> __device__ float g(T *f) { return f[1]; }\n" + kernel),
            "1:54: subscript of a pointer\n");
}

TEST(CheckSource, PartsOfOneAccessStandUnderOneMacro) {
  EXPECT_EQ(findingsIn("const float x = MPF_LD(3, pairs[i].a);"), "");
  EXPECT_NE(findingsIn("const float x = MPF_LD(3, f[static_cast<int>(pairs[i].a)]);"), "");
}

TEST(CheckSource, PointersMustNotEscapeIntoOtherFunctions) {
  const std::string helper = "__device__ void read(const float *x);\n";
  EXPECT_NE(findingsOf(helper + "__global__ void k(const float *f) { read(f + 1); }"), "");
  EXPECT_EQ(findingsOf(helper + "__global__ void k() { float r[2]; read(r + 1); }"), "");
  EXPECT_EQ(findingsIn("atomicAdd(&f[i], 1.0f);"), "");
}

TEST(CheckSource, AssemblyIsFoundUnlessThePreambleWroteIt) {
  EXPECT_EQ(findingsIn("asm volatile(\"\");"), "4:1: assembly\n");
  const std::string kernel = "extern \"C\" __global__ void k(float x) {\n"
                             "float y;\nMPF_EXP2_FLUSH(y, x);\n}\n";
  EXPECT_EQ(findingsOf(fmt::format("{}{}", kCudaPreamble, kernel)), "");
}

/// Returns the number of findings in a text that mpf did not write, whose kernel has `body`.
size_t foreignFindings(const std::string &body) {
  const std::string kernel = fmt::format("extern \"C\" __global__ void k(float *f, int i) {{\n"
                                         "{}\n"
                                         "}}\n",
                                         body);
  return kernelFile(fmt::format("{}\n{}", kCudaPreamble, kernel)).findings.size();
}

TEST(CheckSource, TheTextThatIsCheckedIsTheTextThatRuns) {
  EXPECT_EQ(foreignFindings("#pragma unroll\nfor (int j = 0; j < 2; ++j) {}"), 0u);
  EXPECT_EQ(foreignFindings("#define MINE 1\nint j = MINE;"), 0u);
  EXPECT_NE(foreignFindings("#ifdef __CUDA_ARCH__\nint j;\n#endif"), 0u);
  EXPECT_NE(foreignFindings("#if 1\n#endif"), 0u);
  EXPECT_NE(foreignFindings("#undef MPF_ST\n#define MPF_ST(site, lvalue, value)"), 0u);
  EXPECT_NE(foreignFindings("#define threadIdx blockIdx"), 0u);
}

TEST(CheckSource, APreambleThatWasChangedIsFound) {
  const std::string source = cudaSource(test::oneStepStream(1000, 3, ElementType::F32));
  EXPECT_TRUE(kernelFile(source).findings.empty());
  std::string changed = source;
  changed.replace(changed.find("(lvalue)"), 8, "(*&lvalue)");
  EXPECT_EQ(kernelFile(changed).findings.size(), 1u);
}

/// Code that would run, or touch memory, unseen beside a kernel without a fault.
TEST(CheckSource, NothingRunsButKernelsAndWhatTheyCall) {
  const std::string kernel = "extern \"C\" __global__ void k(float *f, int i) {}\n";
  const auto findings = [&kernel](const std::string &more) {
    return kernelFile(fmt::format("{}\n{}\n{}", kCudaPreamble, more, kernel)).findings.size();
  };
  for (const char *allowed :
       {"struct Pair { float a, b; };", "typedef float Number;", "enum Way { Up, Down };",
        "constexpr int kCount = 3;", "__device__ float twice(float x) { return 2 * x; }",
        "template <class T> __device__ T thrice(T x) { return 3 * x; }"})
    EXPECT_EQ(findings(allowed), 0u) << allowed;
  for (const char *refused :
       {"int helper() { return 1; }", "__host__ __device__ int both() { return 1; }",
        "struct E { E() {} }; static E e;",
        "struct Raw { static __device__ void put(double *p); };",
        "namespace mine { __device__ void put(double *p) { *p = 1; } }",
        "__device__ double scratch;", "static int counter = 3;",
        "extern \"C\" __device__ void _exit(int);", "asm(\"nop\");",
        "class Base {}; struct Derived : Base {};", "template <class T> struct Box { T inside; };",
        "__global__ void mangled(float *f) {}", "#include \"other.cuh\""})
    EXPECT_NE(findings(refused), 0u) << refused;
}

TEST(CheckSource, LoopsWhoseTurnsCannotBeCountedAreFound) {
  EXPECT_EQ(foreignFindings("while (i > 3) --i;"), 0u);
  EXPECT_NE(foreignFindings("while (int left = i) i = left - 1;"), 0u);
  EXPECT_NE(foreignFindings("again: if (i > 3) goto again;"), 0u);
  EXPECT_NE(foreignFindings("again: void *to = &&again; goto *to;"), 0u);
}

TEST(CheckSource, WaysToMemoryThatNothingWatchesAreFound) {
  EXPECT_NE(foreignFindings("new (f) float(2);"), 0u);
  EXPECT_NE(foreignFindings("static int seen = 0;"), 0u);
  EXPECT_NE(foreignFindings("MPF_ST(-1, f[i], 1.0f);"), 0u);
  EXPECT_NE(foreignFindings("MPF_ST(i, f[i], 1.0f);"), 0u);
  EXPECT_NE(foreignFindings("MPF_ST(4000000, f[i], 1.0f);"), 0u);
  EXPECT_EQ(foreignFindings("MPF_ST(1, f[i], 1.0f);"), 0u);
  EXPECT_NE(foreignFindings("void (*call)() = nullptr; call();"), 0u);
  EXPECT_NE(
      foreignFindings("struct All { float *begin, *end; } all{f, f}; for (float x : all.begin) {}"),
      0u);
}

TEST(CheckSource, KernelsAreNamed) {
  const std::string source = cudaSource(test::oneStepStream(1000, 3, ElementType::F32));
  const std::vector<KernelDeclaration> kernels = kernelFile(source).kernels;
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].name, test::oneStepStream(1000, 3, ElementType::F32).name);
}

TEST(CheckSource, KernelsAreDescribedAsTheyAreLaunched) {
  const auto described = [](const std::string &head) {
    const KernelFile file =
        kernelFile(fmt::format("{}\nextern \"C\" __global__ void {} {{}}\n", kCudaPreamble, head));
    return file.kernels.at(0);
  };
  const KernelDeclaration kernel =
      described("__launch_bounds__(128, 2) k(const float *__restrict__ f, MpfTableState *s, "
                "const int mode)");
  EXPECT_EQ(kernel.parameters,
            (std::vector<std::string>{"const float *", "MpfTableState *", "int"}));
  EXPECT_EQ(kernel.mostThreads, 128u);
  EXPECT_EQ(described("k()").mostThreads, 0u);
  EXPECT_TRUE(described("k()").parameters.empty());
}

TEST(CheckSource, SyntaxErrorsAreFindings) {
  EXPECT_NE(findingsIn("float x = ;").find("expected expression"), std::string::npos);
  EXPECT_NE(findingsIn("unknown(1);").find("unknown"), std::string::npos);
}

} // namespace
} // namespace mpf
