// Chain plans: sound for every target, read back as printed, and refused when something is changed.
#include "codegen/kernel/build/build_chain.h"
#include "codegen/kernel/build_kernel.h"
#include "codegen/kernel/cost/floor.h"
#include "codegen/kernel/plan/chain_shape.h"
#include "codegen/kernel/plan/verify_chain.h"
#include "codegen/kernel/read_kernel.h"
#include "codegen/kernel/text/print_chain.h"
#include "codegen/kernel/verify_kernel.h"
#include "tests/unit/codegen/kernel/random_chain.h"

#include <functional>
#include <gtest/gtest.h>
#include <set>

namespace mpf {
namespace {

ChainOptions optionsFor(const std::string &target, ElementType type) {
  ChainOptions options;
  options.target = targetNamed(target);
  options.type = type;
  return options;
}

std::optional<ChainPlan> readBack(const std::string &text) {
  Diagnostics diagnostics;
  const auto plans = readKernels(std::make_shared<const SourceBuffer>("chain", text), diagnostics);
  if (!plans || !std::holds_alternative<ChainPlan>(plans->front().plan))
    return std::nullopt;
  return std::get<ChainPlan>(plans->front().plan);
}

TEST(ChainPlans, AreSoundAndReadBackAsPrinted) {
  size_t built = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const ElementType type = seed % 2 == 0 ? ElementType::F32 : ElementType::F64;
    const ChainOptions options = optionsFor(seed % 3 == 0 ? "sm_86" : "sm_90", type);
    const auto plan = buildChain(test::randomChain(seed, 1e6), options);
    if (!plan)
      continue;
    ++built;
    EXPECT_EQ(findFault(*plan, options.target), "") << seed;
    EXPECT_GT(plan->predictedUs, plan->floorUs) << seed;
    const std::string text = printChain(*plan);
    const auto read = readBack(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(printChain(*read), text);
    EXPECT_EQ(findFault(*read, options.target), "");
    ChainPlan named = *read;
    nameKernel(named);
    EXPECT_EQ(named.name, plan->name);
  }
  EXPECT_GE(built, 40u);
}

TEST(ChainPlans, OthersStandBesideTheChoice) {
  const ChainOptions options = optionsFor("sm_90", ElementType::F32);
  KernelOptions kernelOptions;
  kernelOptions.target = options.target;
  kernelOptions.type = options.type;
  std::vector<ChainForm> forms = {test::binaryChain(16, 8, true), test::binaryChain(20, 4, true)};
  for (uint64_t seed = 0; seed < 20; ++seed)
    forms.push_back(test::randomChain(seed, 1e6));
  for (size_t i = 0; i < forms.size(); ++i) {
    const auto choice = buildChain(forms[i], options);
    const std::vector<KernelPlan> plans = buildKernels(forms[i], kernelOptions, 5);
    ASSERT_EQ(choice.has_value(), !plans.empty()) << i;
    std::set<std::string> names;
    for (const KernelPlan &plan : plans) {
      EXPECT_TRUE(names.insert(plan.header().name).second) << plan.header().name;
      EXPECT_EQ(findFault(plan, options.target), "") << i;
    }
    EXPECT_LE(plans.size(), 5u);
    if (choice) {
      EXPECT_EQ(plans.front().header().name, choice->name);
    }
    EXPECT_TRUE(i >= 2 || plans.size() > 1) << "large ones have a choice";
  }
}

TEST(ChainPlans, MoveOnlyWhatIsCompulsory) {
  const ChainForm form = test::binaryChain(24, 8, true);
  EXPECT_EQ(compulsoryBytes(form, ElementType::F32), 4.0 * ((2 << 24) + 8 * 4));
  const ChainOptions options = optionsFor("sm_90", ElementType::F32);
  const auto plan = buildChain(form, options);
  ASSERT_TRUE(plan);
  EXPECT_TRUE(plan->conflictFree);
  // Message and result are moved once, not sixteen times; the model hides most of the rest.
  EXPECT_LT(plan->predictedUs, 2 * plan->floorUs);
  const auto predicted = predictChain(form, options);
  ASSERT_TRUE(predicted);
  EXPECT_NEAR(*predicted, plan->predictedUs, 0.2 * plan->predictedUs);
}

TEST(ChainPlans, NamesTellWhatIsCompiled) {
  const ChainOptions options = optionsFor("sm_90", ElementType::F64);
  const auto a = buildChain(test::binaryChain(20, 6, true), options);
  const auto b = buildChain(test::binaryChain(20, 6, false), options);
  ChainForm renamed = test::binaryChain(20, 6, true);
  renamed.message.table = TableId(7);
  const auto c = buildChain(renamed, options);
  ASSERT_TRUE(a && b && c);
  EXPECT_NE(a->name, b->name);
  EXPECT_EQ(a->name, c->name);
}

TEST(ChainPlans, AStepOfVeryManyValuesHasNoPlan) {
  // Sum over 4096 values: no tile holds them.
  ChainForm form;
  form.digits = {{1024, false, {}}, {4096, true, {}}};
  form.message = {TableId(0), {4096, 1}, uint64_t{1} << 22};
  form.result = {TableId(1), {1, 0}, 1024};
  form.steps = {{0, 0, {}, {DigitId(1)}}};
  EXPECT_EQ(findFault(form), "");
  EXPECT_FALSE(buildChain(form, optionsFor("sm_90", ElementType::F32)));
}

/// Every single change makes the plan unsound, and the verifier names the changed part.
TEST(ChainPlans, ChangedPlansAreRefused) {
  const ChainOptions options = optionsFor("sm_90", ElementType::F32);
  const auto plan = buildChain(test::binaryChain(16, 8, false), options);
  ASSERT_TRUE(plan);
  ASSERT_GE(plan->phases.size(), 2u);
  const std::vector<std::pair<const char *, std::function<void(ChainPlan &)>>> changes = {
      {"is not an identifier", [](ChainPlan &p) { p.name = "two words"; }},
      {"digit", [](ChainPlan &p) { p.form.steps[0].reduced.clear(); }},
      {"step 1", [](ChainPlan &p) { p.form.steps[1].introduced.clear(); }},
      {"step", [](ChainPlan &p) { p.form.steps[0].factorCount = 2; }},
      {"the result", [](ChainPlan &p) { p.form.result.stridesElems[1] *= 2; }},
      {"entries", [](ChainPlan &p) { p.form.message.sizeElems *= 2; }},
      {"digit", [](ChainPlan &p) { p.parts[1].extent = 3; }},
      {"two parts are called", [](ChainPlan &p) { p.parts[2].name = p.parts[1].name; }},
      {"part", [](ChainPlan &p) { p.outerParts.clear(); }},
      {"outer part", [](ChainPlan &p) { p.outerParts.push_back(p.phases[0].registerParts[0]); }},
      {"part", [](ChainPlan &p) { p.phases[0].registerParts.pop_back(); }},
      {"part", [](ChainPlan &p) { p.phases[0].threadParts.pop_back(); }},
      {"is used 2 times",
       [](ChainPlan &p) { p.phases[1].threadParts.push_back(p.phases[1].registerParts[0]); }},
      {"a phase of", [](ChainPlan &p) { --p.phases[0].stepCount; }},
      {"image 0", [](ChainPlan &p) { p.phases[0].allocatedElems = 8; }},
      {"0 strides for", [](ChainPlan &p) { p.phases[1].stridesElems.clear(); }},
      {"has stride 0",
       [](ChainPlan &p) { p.phases[1].stridesElems[p.phases[1].threadParts[0]] = 0; }},
      {"lie on each other",
       [](ChainPlan &p) {
         p.phases[1].stridesElems[p.phases[1].threadParts[0]] =
             p.phases[1].stridesElems[p.phases[1].threadParts[1]];
       }},
      {"a fetch of", [](ChainPlan &p) { p.fetch.vector *= 2; }},
      {"the fetch walks", [](ChainPlan &p) { p.fetch.threadSlots[0].step *= 2; }},
      {"the fetch", [](ChainPlan &p) { p.fetch.threadSlots.pop_back(); }},
      {"stores of", [](ChainPlan &p) { p.storeVector *= 8; }},
      {"blocks of", [](ChainPlan &p) { p.launch.gridBlocks *= 2; }},
      {"threads", [](ChainPlan &p) { p.launch.blockThreads = 16; }},
      {"image", [](ChainPlan &p) { p.launch.sharedBytes /= 2; }},
      {"blocks of 0 pages", [](ChainPlan &p) { p.pagesPerBlock = 0; }},
  };
  for (const auto &[why, change] : changes) {
    ChainPlan changed = *plan;
    change(changed);
    const std::string fault = findFault(changed, options.target);
    EXPECT_NE(fault.find(why), std::string::npos) << why << ": " << fault;
  }
}

TEST(ChainPlans, BrokenTextsAreRefusedWithAPlace) {
  const auto plan =
      buildChain(test::binaryChain(12, 4, true), optionsFor("sm_90", ElementType::F32));
  ASSERT_TRUE(plan);
  const std::string text = printChain(*plan);
  // A plan that is cut after any line but the last lacks something, and gets an error.
  for (size_t at = text.find('\n'); at + 1 < text.size(); at = text.find('\n', at + 1))
    EXPECT_FALSE(readBack(text.substr(0, at + 1)));
  for (const auto &[from, to] : {std::pair<std::string, std::string>{"chain ", "kernel "},
                                 {"part d1 ", "part d2 "},
                                 {"introduced=", "introduced=99,"},
                                 {"registers=", "registers=nobody,"},
                                 {"bits=32", "bits=16"},
                                 {"conflict_free=", "conflict_free=maybe "}}) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    EXPECT_FALSE(readBack(changed)) << to;
  }
}

} // namespace
} // namespace mpf
