// Bundles with changed kernels: none of these run, and unchanged ones are accepted.
#include "codegen/bundle/forms/program_file.h"
#include "codegen/kernel/read_kernel.h"
#include "codegen/kernel/verify_kernel.h"
#include "codegen/pipeline/pipeline.h"
#include "codegen/plan/build_program.h"
#include "codegen/specialise/bundle_kernel.h"
#include "codegen/specialise/device_costs.h"
#include "codegen/specialise/specialise_options.h"
#include "codegen/specialise/verify_kernels.h"
#include "runtime/api/session.h"
#include "tests/oracle/models/sweep_models.h"
#include "tests/unit/temporary_folder.h"

#include <gtest/gtest.h>
#include <limits>

namespace mpf {
namespace {

constexpr const char *kTables = R"(
  param n = 64
  var x, y, z, k : n
  factor f(x, y, k) = 1 + (x + y < 2 * k)
  factor g(y, z, k) = 1 + (2 * y < z + k)
  factor h(x, z) = 1 + (x < z)
  query total = )";

Bundle triangle(const std::string &type = "f64", bool forcedLog = false,
                const std::string &query = "sum() f * g * h") {
  CompileOptions options;
  options.type = type;
  options.forcedLog = forcedLog;
  options.gpuArch = "sm_90";
  options.expectedRuns = std::numeric_limits<double>::infinity();
  options.maxMemoryBytes = uint64_t{1} << 32;
  return compileText(kTables + query, options).bundle();
}

/// A grid that is swept column by column, whose steps are chains.
Bundle chained() {
  std::mt19937_64 random(3);
  const Model model = oracle::sweepModel(random, {.rows = 10, .columns = 3});
  const SpecialiseOptions everything{targetNamed("sm_90"), std::numeric_limits<double>::infinity()};
  const auto times = makeDeviceCosts(everything, ElementType::F64, false);
  PipelineOptions options;
  options.gpu = everything;
  options.plan.deviceCosts = times.get();
  Diagnostics diagnostics;
  return Pipeline(options).compileProgram(
      model, buildProgram(model, model.queries.front(), options.plan, diagnostics));
}

/// Returns the bundle as read from a file.
Bundle stored(const Bundle &bundle) { return parseAs<Bundle>(programBytes(bundle)); }

std::string refusal(const Bundle &bundle) {
  Bundle read = stored(bundle);
  try {
    adoptKernels(read, "m.mpfb");
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    EXPECT_TRUE(read.foreignKernels);
    return error.what();
  }
  EXPECT_FALSE(read.foreignKernels);
  return "";
}

void expectRefused(const Bundle &bundle, const std::string &why) {
  const std::string message = refusal(bundle);
  EXPECT_NE(message.find(why), std::string::npos) << message;
}

uint32_t specialisedKernel(const Bundle &bundle) {
  for (const BundleOperation &operation : bundle.operations)
    if (operation.kernel)
      return *operation.kernel;
  ADD_FAILURE() << "no operation has a kernel";
  return 0;
}

/// Replaces a kernel by the text that mpf emits for another plan, as an attacker with our emitters
/// could. Returns false if the plan cannot be read, or is not sound.
bool plant(BundleKernel &kernel, const std::string &text) {
  Diagnostics diagnostics;
  const auto plans = readKernels(std::make_shared<SourceBuffer>("plan", text), diagnostics);
  if (!plans || plans->size() != 1)
    return false;
  const KernelPlan &plan = plans->front().plan;
  if (!findFault(plan, targetNamed("sm_90")).empty())
    return false;
  kernel = bundleKernel(plan);
  kernel.plan = text;
  return true;
}

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(ForeignKernels, OursAreTaken) {
  for (const char *type : {"f64", "f32", "u64", "u128"})
    EXPECT_EQ(refusal(triangle(type)), "") << type;
  for (const char *query : {"sum() f * g * h", "max() f * g * h", "max() f + g + h",
                            "min() f + g + h", "logsum() f + g + h"})
    for (const bool forcedLog : {false, true})
      EXPECT_EQ(refusal(triangle("f64", forcedLog, query)), "") << query;
  const Bundle chains = chained();
  EXPECT_FALSE(chains.chains.empty());
  EXPECT_EQ(refusal(chains), "");
}

TEST(ForeignKernels, TextsOfOthersAreRefused) {
  Bundle bundle = triangle();
  bundle.kernels[specialisedKernel(bundle)].source += "// harmless\n";
  expectRefused(bundle, "its text is not what this version makes of its plan");
  bundle = triangle();
  bundle.kernels[*bundle.tableDriven].source += "\n";
  expectRefused(bundle, "not that of the table-driven kernels");
  bundle = triangle();
  bundle.kernels[specialisedKernel(bundle)].plan = "plan text";
  expectRefused(bundle, "its plan cannot be read");
}

TEST(ForeignKernels, LaunchesOfOthersAreRefused) {
  for (const auto change : {+[](BundleKernel &kernel) { kernel.gridBlocks *= 2; },
                            +[](BundleKernel &kernel) { kernel.blockThreads /= 2; },
                            +[](BundleKernel &kernel) { kernel.sharedBytes += 8; }}) {
    Bundle bundle = triangle();
    change(bundle.kernels[specialisedKernel(bundle)]);
    expectRefused(bundle, "it is launched otherwise than its plan says");
  }
  Bundle bundle = triangle();
  bundle.kernels[specialisedKernel(bundle)].name = "other";
  expectRefused(bundle, "other names than the planner gives");
}

/// A sound kernel of a larger network, with its text, would read and write beyond the tables.
TEST(ForeignKernels, PlansOfOtherOperationsAreRefused) {
  CompileOptions options;
  options.gpuArch = "sm_90";
  options.expectedRuns = std::numeric_limits<double>::infinity();
  options.maxMemoryBytes = uint64_t{1} << 34;
  const Bundle larger =
      compileText(replaced(kTables, "n = 64", "n = 128") + "sum() f * g * h", options).bundle();
  Bundle bundle = triangle();
  bundle.kernels[specialisedKernel(bundle)] = larger.kernels[specialisedKernel(larger)];
  expectRefused(bundle, "its plan is not one of operation");
  bundle = triangle();
  bundle.kernels[specialisedKernel(bundle)] =
      triangle("f32").kernels[specialisedKernel(triangle("f32"))];
  expectRefused(bundle, "it computes linear f32, the program has linear f64");
  bundle = chained();
  const uint32_t chain = bundle.chains.front().kernel;
  const Bundle other = triangle();
  bundle.kernels[chain] = other.kernels[specialisedKernel(other)];
  expectRefused(bundle, "it is launched for a chain, its plan is of one operation");
}

/// Words of the plan become words of the text.
TEST(ForeignKernels, NamesThatHideOthersAreRefused) {
  Bundle bundle = triangle("u64");
  BundleKernel &kernel = bundle.kernels[specialisedKernel(bundle)];
  const std::string plan = kernel.plan;
  for (const std::string name : {"states", "blockIdx_t", "d_", "d0", "d0_At", "d0_t_", "D0_t"}) {
    std::string changed = plan;
    for (size_t at = 0; (at = changed.find("d0_t", at)) != std::string::npos; at += name.size())
      changed.replace(at, 4, name);
    ASSERT_NE(changed, plan);
    ASSERT_TRUE(plant(kernel, changed)) << name;
    expectRefused(bundle, "other names than the planner gives");
  }
  ASSERT_TRUE(plant(kernel, plan));
  EXPECT_EQ(refusal(bundle), "");
}

/// A number in a plan: its place, and the words before it.
struct PlanNumber {
  size_t begin = 0, end = 0;
  std::string line, key; ///< "operand", "strides_elems"
};

std::vector<PlanNumber> numbersOf(const std::string &plan) {
  std::vector<PlanNumber> numbers;
  for (size_t at = 0; (at = plan.find_first_of("0123456789", at)) != std::string::npos;) {
    PlanNumber number{at, plan.find_first_not_of("0123456789", at), {}, {}};
    const size_t line = plan.rfind('\n', at) + 3, word = plan.rfind(' ', at) + 1;
    number.line = plan.substr(line, plan.find(' ', line) - line);
    number.key = plan.substr(word, plan.find_first_of("=\n", word) - word);
    at = number.end;
    if (std::string_view("=,: ").find(plan[number.begin - 1]) != std::string_view::npos)
      numbers.push_back(std::move(number));
  }
  return numbers;
}

/// Whether the number determines what the kernel reads and writes.
bool saysWhere(const PlanNumber &number) {
  const bool table = number.line == "operand" || number.line == "result" ||
                     number.line == "message" || number.line == "factor";
  return (table && number.key == "strides_elems") ||
         (number.line == "digit" && number.key == "extent");
}

/// Changes every number of every plan, one at a time, with texts that mpf emits. Sound plans are
/// refused if they read or write something else than the operation.
TEST(ForeignKernels, PlansWithOtherNumbersAreRefused) {
  size_t planted = 0, taken = 0;
  for (const Bundle &bundle : {triangle(), triangle("u64"), chained()})
    for (uint32_t i = 0; i < bundle.kernels.size(); ++i) {
      const std::string plan = bundle.kernels[i].plan; // none: the table-driven ones
      for (const PlanNumber &number : numbersOf(plan)) {
        const uint64_t was = std::strtoull(plan.c_str() + number.begin, nullptr, 10);
        for (const uint64_t is : {was + 1, 2 * was, was / 2}) {
          Bundle changed = bundle;
          if (is == was ||
              !plant(changed.kernels[i],
                     plan.substr(0, number.begin) + std::to_string(is) + plan.substr(number.end)))
            continue;
          ++planted;
          if (!foreignFault(changed, i).empty())
            continue;
          ++taken;
          EXPECT_FALSE(saysWhere(number)) << number.line << ' ' << number.key << ' ' << is;
        }
      }
    }
  EXPECT_GT(planted, 100u);
  EXPECT_LT(taken, planted);
}

TEST(ForeignKernels, MachineCodeIsTakenOnTrustAlone) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/m.mpfb";
  Bundle bundle = triangle();
  const uint32_t own = specialisedKernel(bundle);
  bundle.kernels[own].cubins.push_back({"sm_90", "a fake image"});
  writeProgram(path, bundle);
  const Program checked = loadProgram(path);
  EXPECT_TRUE(checked.bundle().kernels[own].cubins.empty());
  EXPECT_FALSE(checked.bundle().foreignKernels);
  const Program trusted = loadProgram(path, {.trust = true});
  EXPECT_EQ(trusted.bundle().kernels[own].cubins.front().contents, "a fake image");
  bundle.kernels[own].source += "// mine\n";
  writeProgram(path, bundle);
  EXPECT_THROW(loadProgram(path), Error);
  EXPECT_EQ(loadProgram(path, {.trust = true}).bundle().kernels[own].source,
            bundle.kernels[own].source);
}

/// Kernels from a cache are compared with the bundle's too.
TEST(ForeignKernels, AreNotTakenFromACache) {
  Bundle bundle = triangle();
  const std::vector<BundleKernel> chosen = bundle.kernels;
  BundleKernel &kernel = bundle.kernels[specialisedKernel(bundle)];
  kernel.source += "// of an earlier version\n";
  keepVerifiedKernels(bundle, chosen);
  EXPECT_EQ(kernel.source, chosen[specialisedKernel(bundle)].source);
}

} // namespace
} // namespace mpf
