// Launch plans of random bundles are sound, and every fault planted in one is found.
#include "codegen/bundle/table_driven_shape.h"
#include "runtime/schedule/launches/build_launch_plan.h"
#include "runtime/schedule/launches/launch_use.h"
#include "runtime/schedule/launches/linear_assumption.h"
#include "runtime/schedule/launches/print_launch_plan.h"
#include "runtime/schedule/launches/verify_launch_plan.h"
#include "tests/support/trials.h"
#include "tests/unit/runtime/schedule/schedule_bundles.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

constexpr unsigned kPlans = trials(2000U);

/// Two operations that follow each other in a chain, both with specialised kernels.
Bundle chainedPair() {
  Bundle bundle;
  bundle.tableDriven = 0;
  for (const char *name : {"table", "first", "second", "both"}) {
    BundleKernel kernel;
    kernel.name = name;
    kernel.source = waitingSource();
    bundle.kernels.push_back(kernel);
  }
  for (size_t i = 0; i < 3; ++i) {
    bundle.buffers.push_back({fmt::format("b{}", i), 64, 512 * i, i == 0});
    if (i == 0)
      bundle.inputs.emplace_back().buffer = BufferId(i);
  }
  for (uint32_t i = 0; i < 2; ++i) {
    BundleOperation operation;
    operation.name = fmt::format("m{}", i);
    operation.digits = {{64, false}, {4096, true}};
    operation.operands = {{BufferId(size_t{i}), {1, 0}, {}}};
    operation.result = {BufferId(size_t{i} + 1), {1, 0}, {}};
    operation.kernel = 1 + i;
    bundle.operations.push_back(operation);
  }
  bundle.chains = {{0, 2, 0, 3}};
  return bundle;
}

std::vector<LaunchKind> kindsOf(const LaunchPlan &plan) {
  std::vector<LaunchKind> kinds;
  for (const Launch &launch : plan.launches)
    kinds.push_back(launch.kind);
  return kinds;
}

LaunchOptions optionsFor(const Bundle &bundle, int32_t leastExponent) {
  LaunchOptions options;
  options.inputStates.resize(bundle.buffers.size());
  options.inputStates[0] = {0, leastExponent, 0, 0};
  options.waits = waitingKernels(bundle);
  return options;
}

TEST(LaunchPlan, AChainProvenExactIsOneLaunch) {
  const Bundle bundle = chainedPair();
  const LaunchPlan plan = buildLaunchPlan(bundle, optionsFor(bundle, -10));
  EXPECT_EQ(kindsOf(plan), std::vector{LaunchKind::Chain});
  EXPECT_FALSE(plan.hostDecides());
  EXPECT_EQ(plan.launches[0].wait, WaitPoint::End) << "it reads an input, and nothing runs before";
}

TEST(LaunchPlan, AChainThatMayBeInexactHasItsOperationsBehindIt) {
  const Bundle bundle = chainedPair();
  const LaunchPlan plan = buildLaunchPlan(bundle, optionsFor(bundle, -2000));
  using enum LaunchKind;
  EXPECT_EQ(kindsOf(plan), (std::vector{Chain, Specialised, Fallback, Specialised, Fallback}))
      << "results so small are normalised by the fallbacks";
  EXPECT_TRUE(plan.hostDecides());
}

TEST(LaunchPlan, WhereTheHostDoesNotLookAnUnprovenChainIsNotTried) {
  const Bundle bundle = chainedPair();
  LaunchOptions options = optionsFor(bundle, -2000);
  options.hostLooks = false;
  const LaunchPlan plan = buildLaunchPlan(bundle, options);
  using enum LaunchKind;
  EXPECT_EQ(kindsOf(plan), (std::vector{Specialised, Fallback, Specialised, Fallback}));
  EXPECT_FALSE(plan.hostDecides());
  EXPECT_EQ(findFault(plan, bundle, options.waits, {}), "");
  options.inputStates = optionsFor(bundle, -10).inputStates;
  EXPECT_EQ(kindsOf(buildLaunchPlan(bundle, options)), std::vector{Chain});
}

TEST(LaunchPlan, WhatIsAssumedIsLookedAtAfterwards) {
  const Bundle bundle = chainedPair();
  LaunchOptions options = optionsFor(bundle, -2000);
  options.assumesLinear = true;
  LaunchPlan plan = buildLaunchPlan(bundle, options);
  EXPECT_EQ(kindsOf(plan), std::vector{LaunchKind::Chain}); // nothing behind it
  EXPECT_EQ(plan.launches[0].arithmetic, LaunchArithmetic::Assumed);
  EXPECT_FALSE(plan.hostDecides());
  std::vector<TableState> states = {{0, -10, 0, 0}, {0, -10, 0, 0}, {0, -10, 0, 0}};
  EXPECT_TRUE(LinearAssumption(bundle, plan).held(states));
  states[0].minExponent = -2000; // a product of such entries leaves f64
  EXPECT_FALSE(LinearAssumption(bundle, plan).held(states));

  options.runs = {0, 1};
  plan = buildLaunchPlan(bundle, options);
  EXPECT_EQ(kindsOf(plan), std::vector{LaunchKind::Specialised});
  EXPECT_TRUE(LinearAssumption(bundle, plan).held(states)) << "its operand is another one";
  states[1].form = 1;
  EXPECT_FALSE(LinearAssumption(bundle, plan).held(states));
}

/// If the table-driven kernel computes in logarithms, a plan without the assumption normalises
/// large results. The plan with the assumption would continue with other bits.
TEST(LaunchPlan, LargeLogarithmsOfALevelAreNotAssumed) {
  Bundle bundle = chainedPair();
  bundle.chains.clear();
  for (BundleOperation &operation : bundle.operations)
    operation.kernel.reset();
  for (const uint64_t elems : {uint64_t{64}, 4 * kLevelNormalisedElems}) {
    bundle.operations[0].digits[0].extent = elems;
    LaunchOptions options = optionsFor(bundle, -2000);
    options.assumesLinear = true;
    const LaunchPlan plan = buildLaunchPlan(bundle, options);
    std::vector<TableState> states(3, {0, -10, 0, 0});
    EXPECT_TRUE(LinearAssumption(bundle, plan).held(states));
    states[1].form = 1;
    EXPECT_EQ(LinearAssumption(bundle, plan).held(states), elems == 64);
  }
}

TEST(LaunchPlan, OnlyWhatDoesNotOverwriteItsOperandsCanRunAgain) {
  Bundle bundle = chainedPair(); // buffer 1 is at 512, buffer 2 at 1024
  EXPECT_TRUE(canRunAgain(bundle, {1, 1}));
  EXPECT_TRUE(canRunAgain(bundle, {1, 0}));
  EXPECT_TRUE(canRunAgain(bundle, {0, 1})) << "the first result is another run's";
  bundle.buffers[2].offsetBytes = 1016;
  EXPECT_FALSE(canRunAgain(bundle, {0, 1})) << "its last entry is overwritten";
  EXPECT_TRUE(canRunAgain(bundle, {1, 1}));
  bundle.buffers[2].offsetBytes = 8;
  EXPECT_FALSE(canRunAgain(bundle, {0, 1})) << "its first entry is overwritten";
  bundle.buffers[2].offsetBytes = 0;
  EXPECT_TRUE(canRunAgain(bundle, {0, 1}));
}

TEST(LaunchPlan, NoneOfManyResultsMayOverwriteWhatIsRead) {
  std::mt19937_64 random(5);
  size_t may = 0, mayNot = 0;
  for (int i = 0; i < 400; ++i) {
    const Bundle bundle = randomScheduleBundle(random);
    std::vector<char> runs(bundle.operations.size());
    for (char &run : runs)
      run = random() % 4 != 0 ? 1 : 0;
    std::vector<char> isThere(bundle.buffers.size(), 0);
    const auto rangeOf = [&](BufferId id) {
      const BundleBuffer &buffer = bundle.buffer(id);
      return std::pair(buffer.offsetBytes,
                       buffer.offsetBytes +
                           bufferBytes(buffer.sizeElems, bundle.type, bundle.signedValues));
    };
    bool isOverwritten = false;
    for (size_t reader = 0; reader < runs.size(); ++reader) {
      if (runs[reader] == 0)
        continue;
      for (const BundleAccess &operand : bundle.operations[reader].operands) {
        if (bundle.buffer(operand.buffer).input || isThere[operand.buffer.index()] != 0)
          continue;
        for (size_t writer = 0; writer < runs.size(); ++writer) {
          const auto [first, end] = rangeOf(bundle.operations[writer].result.buffer);
          const auto [readFirst, readEnd] = rangeOf(operand.buffer);
          isOverwritten |= runs[writer] != 0 && first < readEnd && readFirst < end;
        }
      }
      isThere[bundle.operations[reader].result.buffer.index()] = 1;
    }
    EXPECT_EQ(canRunAgain(bundle, runs), !isOverwritten) << i;
    (isOverwritten ? mayNot : may) += 1;
  }
  EXPECT_GT(may, 40u);
  EXPECT_GT(mayNot, 40u);
}

TEST(LaunchPlan, AChainRunsOnlyAsAWholeAndWhereLaunchesAreGrouped) {
  const Bundle bundle = chainedPair();
  LaunchOptions options = optionsFor(bundle, -10);
  options.runs = {1, 0};
  EXPECT_EQ(kindsOf(buildLaunchPlan(bundle, options)), std::vector{LaunchKind::Specialised});
  options.runs = {};
  options.grouped = false;
  EXPECT_EQ(kindsOf(buildLaunchPlan(bundle, options)),
            (std::vector{LaunchKind::Specialised, LaunchKind::Specialised}));
}

TEST(LaunchPlan, KernelsThatDoNotWaitByThemselvesWaitWhenTheyBegin) {
  const Bundle bundle = chainedPair();
  LaunchOptions options = optionsFor(bundle, -10);
  options.waits.assign(bundle.kernels.size(), 0);
  EXPECT_EQ(buildLaunchPlan(bundle, options).launches[0].wait, WaitPoint::Begin);
}

TEST(LaunchPlan, PlansOfRandomBundlesAreSound) {
  std::mt19937_64 random(1);
  size_t kinds[5] = {}, waits[3] = {}, resident = 0, fallbacks = 0;
  for (unsigned i = 0; i < kPlans; ++i) {
    const Bundle bundle = randomScheduleBundle(random);
    const LaunchOptions options = randomLaunchOptions(bundle, random);
    const LaunchPlan plan = buildLaunchPlan(bundle, options);
    ASSERT_EQ(findFault(plan, bundle, options.waits, options.runs, options.joins.residentBlocks),
              "")
        << printLaunchPlan(plan, bundle);
    ASSERT_EQ(buildLaunchPlan(bundle, options), plan);
    for (const Launch &launch : plan.launches) {
      ++kinds[static_cast<size_t>(launch.kind)];
      ++waits[static_cast<size_t>(launch.wait)];
    }
    for (const Launch &launch : plan.launches)
      fallbacks += launch.kind == LaunchKind::Level &&
                   std::ranges::any_of(operationsOf(plan, launch), [&](uint32_t operation) {
                     return bundle.operations[operation].kernel.has_value();
                   });
    resident += std::ranges::any_of(
        plan.mappings, [](const LevelMapping &mapping) { return phasesOf(mapping) > 1; });
  }
  for (const size_t count : kinds)
    EXPECT_GT(count, kPlans / 10) << "every kind of launch occurs";
  for (const size_t count : waits)
    EXPECT_GT(count, kPlans / 100) << "every wait occurs";
  EXPECT_GT(resident, kPlans / 50) << "blocks wait for each other";
  EXPECT_GT(fallbacks, kPlans / 100) << "a fallback and a level behind it are one launch";
}

bool shareBytes(const std::vector<ByteRange> &a, const std::vector<ByteRange> &b) {
  for (const ByteRange &x : a)
    for (const ByteRange &y : b)
      if (x.begin < y.end && y.begin < x.end)
        return true;
  return false;
}

/// Returns a plan with one change that no executor may run; empty if the plan has no place for it.
using Plant = std::function<bool(LaunchPlan &, const Bundle &, size_t)>;

void expectFound(const char *what, const Plant &plant) {
  std::mt19937_64 random(2);
  const size_t least = trials(10U);
  size_t planted = 0;
  for (unsigned i = 0; i < kPlans || (planted < least && i < 20 * kPlans); ++i) {
    const Bundle bundle = randomScheduleBundle(random);
    const LaunchOptions options = randomLaunchOptions(bundle, random);
    const LaunchPlan plan = buildLaunchPlan(bundle, options);
    for (size_t at = 0; at < plan.launches.size(); ++at) {
      LaunchPlan changed = plan;
      if (!plant(changed, bundle, at))
        continue;
      ++planted;
      ASSERT_NE(
          findFault(changed, bundle, options.waits, options.runs, options.joins.residentBlocks), "")
          << what << " at launch " << at << " of\n"
          << printLaunchPlan(plan, bundle);
    }
  }
  EXPECT_GE(planted, least) << what;
}

TEST(VerifyLaunchPlan, FindsEveryPlantedFault) {
  expectFound("a reader that does not wait", [](LaunchPlan &plan, const Bundle &bundle, size_t at) {
    Launch &launch = plan.launches[at];
    if (launch.wait != WaitPoint::Begin || useOf(bundle, plan, launch).reads.empty())
      return false;
    launch.wait = WaitPoint::Stores;
    return true;
  });
  expectFound("a writer of memory in use", [](LaunchPlan &plan, const Bundle &, size_t at) {
    return std::exchange(plan.launches[at].wait, WaitPoint::End) == WaitPoint::Stores;
  });
  expectFound("a launch left out", [](LaunchPlan &plan, const Bundle &, size_t at) {
    if (plan.launches[at].kind == LaunchKind::Chain)
      return false; // without it the plan is of another way
    if (plan.launches[at].kind == LaunchKind::Normalise) {
      size_t first = at;
      while (plan.launches[first].kind == LaunchKind::Normalise)
        --first;
      if (plan.launches[first].kind != LaunchKind::Fallback)
        return false; // here too
    }
    if (isMapped(plan.launches[at].kind)) {
      plan.mappings.erase(plan.mappings.begin() + plan.launches[at].mapping);
      for (size_t later = at + 1; later < plan.launches.size(); ++later)
        --plan.launches[later].mapping;
    }
    plan.launches.erase(plan.launches.begin() + static_cast<ptrdiff_t>(at));
    return true;
  });
  expectFound("a launch done twice", [](LaunchPlan &plan, const Bundle &, size_t at) {
    plan.launches.insert(plan.launches.begin() + static_cast<ptrdiff_t>(at), plan.launches[at]);
    return true;
  });
  expectFound("launches in another order", [](LaunchPlan &plan, const Bundle &bundle, size_t at) {
    if (at == 0)
      return false;
    const LaunchUse early = useOf(bundle, plan, plan.launches[at - 1]);
    const LaunchUse late = useOf(bundle, plan, plan.launches[at]);
    std::swap(plan.launches[at], plan.launches[at - 1]);
    return shareBytes(early.writes, late.reads) || shareBytes(early.writes, late.writes) ||
           shareBytes(early.reads, late.writes);
  });
  expectFound("another number of blocks", [](LaunchPlan &plan, const Bundle &, size_t at) {
    const LaunchKind kind = plan.launches[at].kind;
    ++plan.launches[at].gridBlocks;
    return kind == LaunchKind::Chain || kind == LaunchKind::Specialised;
  });
  expectFound("a wait that no kernel makes", [](LaunchPlan &plan, const Bundle &, size_t at) {
    const LaunchKind kind = plan.launches[at].kind;
    plan.launches[at].wait = WaitPoint::Stores;
    return kind != LaunchKind::Chain && kind != LaunchKind::Specialised;
  });
  expectFound("a level in another number of blocks",
              [](LaunchPlan &plan, const Bundle &, size_t at) {
                ++plan.launches[at].gridBlocks;
                return isMapped(plan.launches[at].kind);
              });
  expectFound("a task left out", [](LaunchPlan &plan, const Bundle &, size_t at) {
    if (!isMapped(plan.launches[at].kind))
      return false;
    LevelMapping &mapping = plan.mappings[plan.launches[at].mapping];
    mapping.blocks.back().back().tasks.pop_back();
    return true;
  });
  expectFound("a task done twice", [](LaunchPlan &plan, const Bundle &, size_t at) {
    if (!isMapped(plan.launches[at].kind))
      return false;
    LevelMapping &mapping = plan.mappings[plan.launches[at].mapping];
    mapping.blocks.push_back(mapping.blocks.front());
    ++plan.launches[at].gridBlocks;
    return true;
  });
  expectFound("a task of too few results", [](LaunchPlan &plan, const Bundle &, size_t at) {
    if (!isMapped(plan.launches[at].kind))
      return false;
    --plan.mappings[plan.launches[at].mapping].blocks.front().front().tasks.front().outputs.end;
    return true;
  });
  expectFound("levels without a barrier between", [](LaunchPlan &plan, const Bundle &, size_t at) {
    if (!isMapped(plan.launches[at].kind))
      return false;
    for (LevelBlock &block : plan.mappings[plan.launches[at].mapping].blocks)
      for (LevelStep &step : block)
        if (std::exchange(step.barrier, false))
          return true;
    return false;
  });
  const auto resident = [](LaunchPlan &plan, size_t at) -> LevelMapping * {
    LevelMapping *const mapping =
        isMapped(plan.launches[at].kind) ? &plan.mappings[plan.launches[at].mapping] : nullptr;
    return mapping != nullptr && phasesOf(*mapping) > 1 ? mapping : nullptr;
  };
  expectFound("a phase that waits for nothing",
              [&](LaunchPlan &plan, const Bundle &bundle, size_t at) {
                LevelMapping *const mapping = resident(plan, at);
                const std::vector<uint32_t> operations = operationsOf(plan, plan.launches[at]);
                // Operations after a fallback may need other operations of its level.
                if (mapping == nullptr || std::ranges::any_of(operations, [&](uint32_t i) {
                      return bundle.operations[i].kernel.has_value();
                    }))
                  return false;
                const uint32_t last = phasesOf(*mapping) - 1;
                for (LevelBlock &block : mapping->blocks)
                  for (LevelStep &step : block)
                    step.phase -= step.phase == last;
                return true;
              });
  expectFound("a phase out of order", [&](LaunchPlan &plan, const Bundle &, size_t at) {
    LevelMapping *const mapping = resident(plan, at);
    if (mapping == nullptr)
      return false;
    for (LevelBlock &block : mapping->blocks)
      if (block.front().phase != block.back().phase) {
        std::swap(block.front(), block.back());
        return true;
      }
    return false;
  });
  expectFound("a phase that no block has", [&](LaunchPlan &plan, const Bundle &, size_t at) {
    LevelMapping *const mapping = resident(plan, at);
    if (mapping == nullptr)
      return false;
    for (LevelBlock &block : mapping->blocks)
      for (LevelStep &step : block)
        step.phase += step.phase > 0;
    return true;
  });
  expectFound("an operation too many", [](LaunchPlan &plan, const Bundle &, size_t at) {
    ++plan.launches[at].count;
    return true;
  });
}

} // namespace
} // namespace mpf
