// Tests the memory plan: no two tables that live at once overlap, and the peak is that of the plan.
// A bound that cannot be met is refused with the figure.
#include "codegen/plan/build_program.h"
#include "codegen/plan/program/program_memory.h"
#include "dsl/source/text_error.h"
#include "dsl/support/error.h"
#include "dsl/support/memory/arena.h"
#include "dsl/support/table_layout.h"
#include "tests/oracle/models/random_models.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <gtest/gtest.h>

using namespace mpf;
using namespace mpf::test;

namespace {

TEST(Arena, BestFitAndMerging) {
  Arena arena;
  EXPECT_EQ(arena.allocate(100), 0u);
  EXPECT_EQ(arena.allocate(50), 100u);
  EXPECT_EQ(arena.allocate(30), 150u);
  EXPECT_EQ(arena.allocate(20), 180u);
  arena.release(0, 100);
  arena.release(150, 30);
  EXPECT_EQ(arena.allocate(25), 150u); // the smaller hole that fits
  EXPECT_EQ(arena.allocate(60), 0u);
  arena.release(100, 50);
  EXPECT_EQ(arena.allocate(90), 60u); // 40 + 50 merged
  arena.release(180, 20);
  EXPECT_EQ(arena.allocate(40), 175u); // the hole at the end is extended: 175..215
  EXPECT_EQ(arena.highWaterBytes(), 215u);
}

TEST(Arena, CopiesGoOnAlone) {
  Arena arena;
  arena.allocate(100);
  arena.allocate(50);
  arena.release(0, 100);
  EXPECT_EQ(arena.allocate(100), 0u); // leaves the memory of a hole for the next one
  Arena copy = arena;
  copy.release(0, 100);
  EXPECT_EQ(copy.allocate(40), 0u);
  EXPECT_EQ(arena.allocate(40), 150u);
  arena = copy;
  EXPECT_EQ(arena.allocate(60), 40u);
}

TEST(Arena, AlignedStretchesLeaveUsableHoles) {
  Arena arena;
  EXPECT_EQ(arena.allocate(16, 16), 0u);
  EXPECT_EQ(arena.allocate(512, 256), 256u); // 16..256 stays free
  EXPECT_EQ(arena.allocate(32, 32), 32u);
  EXPECT_EQ(arena.allocate(128, 128), 128u);
  arena.release(256, 512);
  arena.release(32, 32);
  EXPECT_EQ(arena.allocate(100, 64), 256u); // no hole below has 100 bytes at a multiple of 64
  EXPECT_EQ(arena.allocate(16, 16), 16u);
  EXPECT_EQ(arena.allocate(700, 256), 512u);
  EXPECT_EQ(arena.highWaterBytes(), 1212u);
  // A thousand tight holes, none aligned: still found or extended without going through all.
  Arena worn;
  for (int i = 0; i < 2000; ++i)
    EXPECT_EQ(worn.allocate(48, 16), 48u * static_cast<uint64_t>(i));
  for (uint64_t i = 0; i < 2000; i += 2)
    worn.release(48 * i, 48);
  EXPECT_EQ(worn.allocate(48, 256) % 256, 0u);
}

struct Interval {
  size_t first = 0, last = 0; ///< operations during which the table must not be overwritten
  uint64_t begin = 0, end = 0;
};

TEST(MemoryPlan, LiveTablesNeverOverlap) {
  std::mt19937_64 random(3);
  oracle::RandomModelOptions options;
  options.maxFactors = 30;
  for (int i = 0; i < 300; ++i) {
    const Model model = oracle::randomModel(random, options);
    const auto kind = static_cast<QueryKind>(random() % 5);
    Diagnostics diagnostics;
    PlanOptions planned;
    planned.branchesAtOnce = i % 2 == 0;
    const TableProgram program =
        buildProgram(model, oracle::randomQuery(random, model, kind), planned, diagnostics);
    const MemoryPlan plan = planMemory(program, ElementType::F64);
    const std::vector<TableLifetime> lifetimes = tableLifetimes(program);
    std::vector<Interval> work;
    uint64_t workEnd = 0;
    for (size_t t = 0; t < program.tables.size(); ++t) {
      const uint64_t bytes = program.tables[t].sizeElems * 8;
      ASSERT_EQ(plan.offsetBytes[t] % tableAlignBytes(bytes), 0u);
      const uint64_t end = plan.offsetBytes[t] + bytes;
      if (program.tables[t].isInput()) {
        ASSERT_LE(end, plan.inputArenaBytes);
        continue;
      }
      work.push_back({lifetimes[t].first, lifetimes[t].last, plan.offsetBytes[t], end});
      workEnd = std::max(workEnd, end);
    }
    for (size_t a = 0; a < work.size(); ++a)
      for (size_t b = 0; b < a; ++b)
        ASSERT_TRUE(work[a].last < work[b].first || work[b].last < work[a].first ||
                    work[a].end <= work[b].begin || work[b].end <= work[a].begin)
            << "model " << i << " tables " << a << " and " << b;
    ASSERT_GE(plan.workArenaBytes, workEnd);
    ASSERT_LT(plan.workArenaBytes, workEnd + kTableGrainBytes);
    ASSERT_EQ(plan.peakBytes, plan.inputArenaBytes + plan.workArenaBytes);
  }
}

/// A chain of k variables with extent n: messages of n entries.
Model chain(uint32_t variables, uint32_t extent) {
  std::vector<std::vector<uint32_t>> scopes;
  for (uint32_t i = 0; i + 1 < variables; ++i)
    scopes.push_back({i, i + 1});
  return modelOf(std::vector<uint32_t>(variables, extent), scopes, false);
}

TEST(MemoryPlan, ChainReusesTwoMessages) {
  const Model model = chain(50, 32);
  Diagnostics diagnostics;
  const TableProgram program = buildProgram(model, model.queries[0], {}, diagnostics);
  const MemoryPlan plan = planMemory(program, ElementType::F64);
  EXPECT_EQ(plan.inputArenaBytes, 49u * 32 * 32 * 8);
  EXPECT_LE(plan.workArenaBytes, 4u * 256);
  const MemoryPlan narrow = planMemory(program, ElementType::F32);
  EXPECT_EQ(narrow.inputArenaBytes, 49u * 32 * 32 * 4);
}

TEST(MemoryPlan, BoundIsExact) {
  const Model model = chain(6, 64);
  Diagnostics diagnostics;
  PlanOptions options;
  const auto peak = [&] {
    const TableProgram program = buildProgram(model, model.queries[0], options, diagnostics);
    return planMemory(program, options.type).peakBytes;
  };
  options.maxMemoryBytes = peak();
  EXPECT_EQ(peak(), options.maxMemoryBytes);
  --options.maxMemoryBytes; // now in slices
  EXPECT_LE(peak(), options.maxMemoryBytes);
  options.maxMemoryBytes = 5 * 64 * 64 * 8; // the inputs alone
  try {
    buildProgram(model, model.queries[0], options, diagnostics);
    ADD_FAILURE() << "not refused";
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::MemoryBound);
    EXPECT_EQ(exitCode(error.kind()), 3);
    const std::string text = error.what();
    EXPECT_NE(text.find("the bound is 160 KiB (163840 bytes)"), std::string::npos) << text;
    // A bound of the peak that the message names suffices.
    const size_t at = text.find('(');
    options.maxMemoryBytes = std::stoull(text.substr(at + 1));
    EXPECT_GT(options.maxMemoryBytes, 163840u);
    EXPECT_EQ(peak(), options.maxMemoryBytes);
  }
  options.maxMemoryBytes = 5 * 64 * 64 * 8;
  options.type = ElementType::F32;
  EXPECT_NO_THROW(buildProgram(model, model.queries[0], options, diagnostics));
}

TEST(MemoryPlan, ALargerBoundIsAskedForWhenItIsNeeded) {
  const Model model = chain(6, 64);
  Diagnostics diagnostics;
  PlanOptions options;
  options.search.rounds = 0; // a longer search finds an order that fits
  const TableProgram whole = buildProgram(model, model.queries[0], options, diagnostics);
  const uint64_t peak = planMemory(whole, ElementType::F64).peakBytes;
  size_t asked = 0;
  const auto planWith = [&](uint64_t bound, std::optional<uint64_t> larger) {
    asked = 0;
    options.maxMemoryBytes = bound;
    options.largerBound = [&asked, larger]() -> std::optional<MemoryBound> {
      ++asked;
      return larger ? std::optional(MemoryBound{*larger, "a GPU"}) : std::nullopt;
    };
    const TableProgram program = buildProgram(model, model.queries[0], options, diagnostics);
    return planMemory(program, ElementType::F64).peakBytes;
  };
  EXPECT_EQ(planWith(peak, 2 * peak), peak);
  EXPECT_EQ(asked, 0u) << "it fits";
  EXPECT_EQ(planWith(peak - 1, peak), peak);
  EXPECT_EQ(asked, 1u);
  // No device, and one that has less: slices.
  EXPECT_LT(planWith(peak - 1, std::nullopt), peak);
  EXPECT_LT(planWith(peak - 1, peak / 2), peak);
  EXPECT_EQ(asked, 1u);
  // A device that has more memory, but not enough: slices within that.
  const uint64_t sliced = planWith(163840, peak - 1);
  EXPECT_GT(sliced, 163840u);
  EXPECT_LT(sliced, peak);
}

TEST(MemoryPlan, ADeviceThatFailsWhenItIsAskedIsToldOf) {
  const Model model = chain(6, 64);
  Diagnostics diagnostics;
  PlanOptions options;
  options.largerBound = [] { return std::optional(MemoryBound{0, "", "it is on fire"}); };
  options.maxMemoryBytes =
      planMemory(buildProgram(model, model.queries[0], {}, diagnostics), ElementType::F64)
          .peakBytes -
      1;
  buildProgram(model, model.queries[0], options, diagnostics);
  EXPECT_NE(messageOf(diagnostics).find("it is on fire"), std::string::npos);
  options.maxMemoryBytes = 163840;
  try {
    buildProgram(model, model.queries[0], options, diagnostics);
    ADD_FAILURE() << "not refused";
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::MemoryBound);
    EXPECT_NE(std::string(error.what()).find("it is on fire"), std::string::npos) << error.what();
  }
}

TEST(MemoryPlan, AbsurdSizesAreComputedNotAllocated) {
  // One table of 2^60 entries alone passes as a scope and is refused as memory.
  const Model large = modelOf({1u << 30, 1u << 30}, {{0, 1}}, false);
  Diagnostics diagnostics;
  try {
    buildProgram(large, large.queries[0], {}, diagnostics);
    ADD_FAILURE() << "not refused";
  } catch (const Error &error) {
    EXPECT_NE(std::string(error.what()).find("2^63.0 bytes"), std::string::npos) << error.what();
  }
  const Model larger = modelOf({1u << 31, 1u << 31, 2}, {{0, 1, 2}}, false);
  try {
    buildProgram(larger, larger.queries[0], {}, diagnostics);
    ADD_FAILURE() << "not refused";
  } catch (const Error &error) {
    EXPECT_STREQ(error.what(), "table f0 alone has 2^63.0 entries");
  }
}

TEST(MemoryPlan, LargePeaksAreWarnedOf) {
  const Model model = modelOf({1u << 10, 1u << 10, 1u << 10}, {{0, 1, 2}}, false);
  Diagnostics diagnostics;
  buildProgram(model, model.queries[0], {}, diagnostics);
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].severity, Severity::Performance);
  EXPECT_NE(diagnostics.all()[0].message.find("query evidence needs 8.0"), std::string::npos)
      << diagnostics.all()[0].message;
}

} // namespace
