// Tests that no kernel of the suite spills, except those with a lower limit of registers. NVRTC
// compiles each to machine code, without a GPU. It reports registers, local memory and shared
// memory, which are compared with the plan.
//
// The default tests one architecture of each generation, and every second kernel by its label.
// MPF_EVERY_KERNEL=1 (tools/test --all) compiles all kernels. MPF_MORE_KERNELS=N adds N random
// buckets per architecture, compiles everything for all architectures, and prints a line per kernel
// (minutes).
#include "codegen/emit/emit_cuda.h"
#include "codegen/kernel/cost/occupancy.h"
#include "codegen/kernel/plan/kernel_shape.h"
#include "codegen/kernel/plan/log_form.h"
#include "codegen/kernel/plan/matrix_shape.h"
#include "dsl/support/number_text.h"
#include "runtime/compile/kernel_store.h"
#include "runtime/compile/nvrtc_compiler.h"
#include "tests/unit/codegen/kernel/planned_suite.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>

using namespace mpf;

namespace {

uint64_t moreKernels() {
  const char *const text = std::getenv("MPF_MORE_KERNELS");
  return text == nullptr ? 0 : parseUnsigned(text).value_or(0);
}

bool isWhole() { return moreKernels() > 0 || std::getenv("MPF_EVERY_KERNEL") != nullptr; }

uint32_t numberOf(const std::string &arch) {
  return static_cast<uint32_t>(parseUnsigned(std::string_view(arch).substr(3)).value_or(0));
}

/// Returns the target of an architecture, or of the nearest older one that the planner knows.
Target targetFor(const std::string &arch) {
  std::string nearest = "sm_80";
  for (const std::string &known : gpuTargetNames())
    if (numberOf(known) <= numberOf(arch) && numberOf(known) > numberOf(nearest))
      nearest = known;
  return targetNamed(nearest);
}

void append(std::vector<test::SuiteKernel> &kernels, std::vector<test::SuiteKernel> more) {
  for (test::SuiteKernel &kernel : more)
    kernels.push_back(std::move(kernel));
}

/// The shapes of the SIMT checker, the measured extents, and random buckets; with MPF_MORE_KERNELS
/// also other families of the shapes.
std::vector<test::SuiteKernel> integerSuite(const Target &target, size_t randoms) {
  std::vector<test::SuiteKernel> kernels;
  for (const test::SuiteShape &shape : test::fullShapes())
    append(kernels, test::kernelsOf(shape, {target, false, true, moreKernels() > 0}));
  for (const test::SuiteShape &shape : test::smallShapes())
    append(kernels, test::kernelsOf(shape, {target, moreKernels() > 0, false, false}));
  uint32_t stages = 2; // 2 and 3 in turn; with MPF_MORE_KERNELS both
  for (const test::SuiteShape &shape : test::fullShapes()) {
    test::SuiteOptions options{target, false, true, false};
    for (int i = 0; i < (moreKernels() > 0 ? 2 : 1); ++i) {
      options.stages = stages;
      append(kernels, test::kernelsOf(shape, options));
      stages = 5 - stages;
    }
    stages = 5 - stages;
  }
  append(kernels, test::tagKernels(target));
  append(kernels, test::randomKernels(1, randoms, target));
  return kernels;
}

/// Returns kernels for which a low estimate fails first: wide register tiles, loads in advance,
/// pairs of accumulators.
std::vector<test::SuiteKernel> shortSuite(const Target &target) {
  std::vector<test::SuiteKernel> kernels;
  for (const test::SuiteShape &shape : test::fullShapes())
    for (test::SuiteKernel &kernel : test::kernelsOf(shape, {target, false, false, false}))
      if ((shape.name == "pair_permuted" && kernel.plan.header().valueForm == ValueForm::Linear) ||
          (shape.name == "triangle" && kernel.plan.header().valueForm == ValueForm::Log &&
           kernel.plan.header().type == ElementType::F32))
        kernels.push_back(std::move(kernel));
  return kernels;
}

std::string describe(const test::SuiteKernel &kernel, const ResourceUsage &usage,
                     const Target &target) {
  const LaunchShape &launch = kernel.plan.header().launch;
  return fmt::format("{} {} threads {} blocks {} estimate {} reserved {} used {} stack {} spills "
                     "{}: {}",
                     target.name, kernel.plan.header().name, launch.blockThreads,
                     launch.minBlocksPerSm, launch.estimatedRegisters,
                     reservedRegisters(launch, target), usage.registers, usage.stackBytes,
                     usage.spillStoreBytes, kernel.label);
}

/// Whether a kernel has tiles of f64 logarithms, which may have a lower limit of registers.
bool convertsLogarithms(const KernelPlan &plan) {
  const auto *const nest = std::get_if<NestPlan>(&plan);
  return nest != nullptr && nest->kind == NestKind::Tile && nest->type == ElementType::F64 &&
         usesScaledMantissas(nest->form, *nest) && !nest->form.readsPacked();
}

void expectNoSpills(const std::vector<test::SuiteKernel> &kernels, const std::string &arch) {
  const Target target = targetFor(arch);
  std::vector<CompileRequest> requests;
  for (const test::SuiteKernel &kernel : kernels)
    requests.push_back({kernel.plan.header().name, cudaSource(kernel.plan), arch});
  KernelStoreOptions options;
  options.useDisk = false;
  const std::vector<CompiledKernel> compiled =
      KernelStore(openNvrtcCompiler, options).compileAll(requests);
  for (size_t i = 0; i < kernels.size(); ++i) {
    ASSERT_EQ(compiled[i].usage.size(), 1u) << compiled[i].log;
    const ResourceUsage &usage = compiled[i].usage.front();
    const std::string text = describe(kernels[i], usage, target);
    if (moreKernels() > 0)
      fmt::print("{} {}\n", arch, text);
    // A lower limit of registers (higher_occupancy_variant.h) may spill a few words.
    const LaunchShape &launch = kernels[i].plan.header().launch;
    const bool heldBack = launch.estimatedRegisters > reservedRegisters(launch, target);
    const uint32_t few = heldBack && convertsLogarithms(kernels[i].plan) ? 32 : 0;
    EXPECT_LE(usage.spillStoreBytes, few) << arch << " " << text;
    EXPECT_LE(usage.spillLoadBytes, few) << arch << " " << text;
    EXPECT_LE(usage.stackBytes, few) << arch << " " << text;
    EXPECT_LE(usage.registers, reservedRegisters(launch, target)) << arch << " " << text;
    // All shared memory is dynamic: the launch requests the plan's bytes, the text declares none.
    EXPECT_EQ(usage.sharedBytes, 0u) << arch << " " << text;
  }
}

/// Returns the shared memory of a plan's segments, which its launch must request.
uint64_t segmentBytes(const NestPlan &plan) {
  uint64_t end = 0;
  for (const Segment &segment : plan.segments)
    if (segment.placement == Placement::Shared)
      end = std::max(end,
                     (segment.offsetElems + segment.allocatedElems * bufferCount(plan, segment)) *
                         elementBytes(plan.type));
  return (end + 15) / 16 * 16;
}

uint64_t segmentBytes(const MatrixPlan &plan) {
  uint64_t end = 0;
  for (const MatrixSide *side : {&plan.rows, &plan.columns})
    end = std::max(end, (side->offsetElems + segmentElems(plan, *side)) * elementBytes(plan.type));
  end = (end + 15) / 16 * 16;
  // Results use the memory of pages, or memory after them if pages of the next tile are loaded.
  const MatrixStore store = matrixStore(plan);
  EXPECT_EQ(store.offsetElems * elementBytes(plan.type), plan.persistent ? end : 0);
  const uint64_t results = store.offsetElems + store.warpElems * (plan.launch.blockThreads / 32);
  return std::max(end, results * elementBytes(plan.type));
}

/// Other families have no kernel in the suite.
template <class Plan> uint64_t segmentBytes(const Plan &plan) { return plan.launch.sharedBytes; }

/// Returns every second kernel, in the order of labels (shape, type, form, family). Names are not
/// used, because they are hashes of the text.
std::vector<test::SuiteKernel> everySecond(std::vector<test::SuiteKernel> kernels) {
  std::ranges::sort(kernels, {}, [](const test::SuiteKernel &kernel) {
    return std::pair(kernel.label, kernel.plan.header().name);
  });
  std::vector<test::SuiteKernel> chosen;
  for (size_t i = 0; i < kernels.size(); i += 2)
    chosen.push_back(kernels[i]);
  return chosen;
}

class KernelResources : public testing::Test {
protected:
  void SetUp() override {
    if (!NvrtcCompiler::available())
      GTEST_SKIP() << nvrtcMissingMessage();
  }
};

} // namespace

TEST_F(KernelResources, IntegerSuiteOnHopper) {
  const auto kernels = integerSuite(targetNamed("sm_90"), 24 + moreKernels());
  EXPECT_GE(kernels.size(), 100u);
  for (const test::SuiteKernel &kernel : kernels)
    EXPECT_EQ(kernel.plan.header().launch.sharedBytes,
              std::visit([](const auto &plan) { return segmentBytes(plan); }, kernel.plan))
        << kernel.label;
  expectNoSpills(isWhole() ? kernels : everySecond(kernels), "sm_90");
}

TEST_F(KernelResources, IntegersOnHopper) {
  const Target target = targetNamed("sm_90");
  std::vector<test::SuiteKernel> kernels;
  for (const test::SuiteShape &shape : test::fullShapes())
    append(kernels,
           test::kernelsOf(shape,
                           {target, false, false, false, {ElementType::U64, ElementType::U128}}));
  expectNoSpills(kernels, "sm_90");
}

TEST_F(KernelResources, WidestTilesOnEveryGeneration) {
  const NvrtcCompiler compiler;
  for (const std::string &arch : compiler.architectures())
    if (moreKernels() > 0 ? numberOf(arch) >= 80 && arch != "sm_90"
                          : arch == "sm_80" || arch == "sm_100" || arch == "sm_120")
      expectNoSpills(moreKernels() > 0 ? integerSuite(targetFor(arch), moreKernels())
                                       : shortSuite(targetFor(arch)),
                     arch);
}
