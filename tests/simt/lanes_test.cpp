// Kernels of lanes in the checker: their answers equal exact single cases, without a single fault.
#include "codegen/bundle/entry_type_text.h"
#include "codegen/bundle/lanes/team_program.h"
#include "codegen/emit/lane_kernel_choice.h"
#include "codegen/emit/lanes/team_source.h"
#include "codegen/lanes/build_lane_program.h"
#include "codegen/lanes/one_case_plan.h"
#include "codegen/pipeline/pipeline.h"
#include "runtime/execute/lanes/wide_lanes.h"
#include "runtime/simt/lanes/assignment_judge.h"
#include "runtime/simt/lanes/check_lanes.h"
#include "tests/oracle/models/random_cases.h"
#include "tests/oracle/models/random_models.h"
#include "tests/simt/hand_lanes.h"
#include "tests/support/trials.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

namespace mpf::simt {
namespace {

template <class T> class LaneKernels : public testing::Test {
protected:
  static constexpr ElementType kType = kEntryType<T>;

  /// Runs all cases of a block in one launch and returns the faults.
  static std::string launchKernel(const LaneKernel &kernel, LaneMemory<T> &memory) {
    return runLanes(*compileLanes(kernel.source, kernel.name, kType), kernel, memory).faultText();
  }
  /// Runs all cases of a block by teams and returns the faults.
  static std::string launchTeams(Program &compiled, TeamProgram &team, const LinearPlan &plan,
                                 LaneMemory<T> &memory, const TeamRun &run) {
    return runTeams(compiled, team, plan, memory, run).faultText();
  }

  static void compare(const LaneProgram &program, const CaseAnswers &found,
                      const CaseAnswers &expected, uint32_t i) {
    const double tolerance = kType == ElementType::F32 ? 1e-5 : 1e-12;
    for (size_t t = 0; t < program.outputs.size(); ++t)
      for (size_t e = 0; e < found.tables[t].size; ++e) {
        const ScaledNumber a = found.tables[t].at(i, e), b = expected.tables[t].at(i, e);
        ASSERT_EQ(a.sign(), b.sign()) << found.tables[t].name << ", case " << i;
        if (b.sign() == 0)
          continue;
        ASSERT_LE(std::abs(a.ln() - b.ln()), tolerance) << found.tables[t].name << ", case " << i;
      }
  }

  /// Compares the results of a launch in `memory` with exact single cases.
  void judge(const LaneProgram &program, const CommonTables &common, const LinearPlan &plan,
             const LaneKernel &kernel, const LaneMemory<T> &memory, const CaseBlock &block) {
    CaseAnswers found, expected;
    std::vector<uint32_t> left;
    shapeAnswers(program, block.count, found);
    shapeAnswers(program, block.count, expected);
    readLaneResults<T>(program, plan, kernel, memory.written(), {0, block.count, block.count},
                       found, left);
    WideLanes wide(program, common);
    std::optional<AssignmentJudge> assignments;
    if (found.variables != 0)
      assignments.emplace(program, common);
    for (uint32_t i = 0; i < block.count && !this->HasFatalFailure(); ++i) {
      wide.run(block, i, expected);
      if (std::binary_search(left.begin(), left.end(), i)) {
        ++left_;
        continue;
      }
      compare(program, found, expected, i);
      compareStates(found, expected, i);
      if (assignments && expected.tables.front().at(i).sign() != 0) {
        const uint32_t *const states = found.states.data() + size_t{i} * found.variables;
        ASSERT_LE(assignments->lossOf(block, i, states).ln,
                  kType == ElementType::F32 ? 1e-5 : 1e-12)
            << "case " << i;
        ++judged_;
      }
      ++compared_;
    }
  }

  /// Compares states, except in f32, where rounding may choose another of several best assignments.
  static void compareStates(const CaseAnswers &found, const CaseAnswers &expected, uint32_t i) {
    if (expected.variables == 0 || expected.tables.front().entries[i] == 0 ||
        kType == ElementType::F32)
      return;
    for (size_t v = 0; v < expected.variables; ++v)
      ASSERT_EQ(found.states[i * found.variables + v], expected.states[i * expected.variables + v])
          << "variable " << v << ", case " << i;
  }

  void check(std::mt19937_64 &random, const Model &model, const Query &query, Program *teams) {
    CaseSchema schema = oracle::randomSchema(random, model, query);
    if (random() % 3 == 0)
      oracle::addRandomTables(random, model, schema);
    CaseBlock block = oracle::randomBlock(random, schema);
    if (weightExponent_ != 0)
      oracle::spreadWeights(random, block, weightExponent_);
    PipelineOptions options;
    options.plan.type = kType;
    options.laneDevice = DeviceKind::Gpu;
    Diagnostics diagnostics;
    checkProgram(Pipeline(options).planLanes(model, query, schema, diagnostics).program, block, 0,
                 teams);
    // Checks the program again without stored indicators: each step that reads one writes it
    // itself.
    const ObservableModel observable = observableModel(model, query, schema);
    LaneOptions lanes = laneOptionsFor(DeviceKind::Gpu, kType);
    lanes.storedIndicatorElems = 0;
    const TableProgram plan = planOneCase(observable, options.plan, diagnostics);
    checkProgram(buildLanePlan(observable, plan, schema, lanes).program, block, 0, teams);
  }

  /// Checks a program. `exponent`: moves the entries of all tables from the plan's scales by this
  /// binary exponent.
  void checkProgram(const LaneProgram &program, CaseBlock block, int exponent, Program *teams) {
    if (block.count == 0)
      block.count = block.pitch();
    const CommonTables common(program);
    LinearPlan plan = planLinear(program, common, kType);
    if (!plan.possible)
      return;
    for (int64_t &scale : plan.scales)
      scale -= exponent;
    if (teams == nullptr) {
      const std::optional<LaneKernel> kernel = teamLimits_
                                                   ? emitTeams(program, plan, kType, *teamLimits_)
                                                   : emitLanes(program, common, plan, kType);
      ASSERT_TRUE(kernel);
      far_ += kernel->scratchElems != 0 ? 1 : 0;
      LaneMemory<T> memory(program, common, plan, *kernel, block);
      ASSERT_EQ(launchKernel(*kernel, memory), "");
      return judge(program, common, plan, *kernel, memory, block);
    }
    TeamProgram team = buildTeamProgram(program, plan);
    LaneMemory<T> memory(program, common, plan, team.layout, block);
    ASSERT_EQ(launchTeams(*teams, team, plan, memory, nextRun()), "");
    judge(program, common, plan, team.layout, memory, block);
    LaneMemory<T> again(program, common, plan, team.layout, block);
    ASSERT_EQ(launchTeams(*teams, team, plan, again, nextRun()), "");
    expectSameBits(memory, again);
  }

  /// Compares bits, so that NaNs of cases that leave linear arithmetic count as equal.
  static void expectSameBits(const LaneMemory<T> &a, const LaneMemory<T> &b) {
    EXPECT_EQ(std::memcmp(a.results.data(), b.results.data(), a.results.size() * sizeof(T)), 0);
    EXPECT_EQ(a.exponents, b.exponents);
    EXPECT_EQ(a.states, b.states);
  }

  /// Returns the next combination of arena and number of cases in a team.
  TeamRun nextRun() {
    const uint64_t run = runs_++;
    uint64_t lanes = kCasesOfTeam;
    for (uint64_t halved = run / 2 % 4; halved > 0 && lanes > kLeastTeamLanes; --halved)
      lanes /= 2;
    return {run % 2 == 0 ? TeamArena::Shared : TeamArena::Global, lanes};
  }

  void checkModels(int models, Program *teams) {
    std::mt19937_64 random(5);
    oracle::RandomModelOptions options;
    for (int i = 0; i < models && !this->HasFatalFailure(); ++i) {
      Model model = oracle::randomModel(random, options);
      oracle::spreadEntries(random, model, i % 3 == 0 ? -40 : 0);
      constexpr QueryKind kKinds[] = {QueryKind::Evidence, QueryKind::Joint, QueryKind::Expression,
                                      QueryKind::Marginals, QueryKind::Mpe};
      const Query query = oracle::randomQuery(random, model, kKinds[i % 5]);
      SCOPED_TRACE(fmt::format("model {}, {}", i, query.name));
      constexpr int kExponents[] = {0, 0, -160, -1070, 1000};
      weightExponent_ = kExponents[i % 7 % 5];
      try {
        check(random, model, query, teams);
      } catch (const Error &error) {
        ASSERT_EQ(error.kind(), ErrorKind::Unsupported) << error.what();
      }
    }
    EXPECT_GT(compared_, static_cast<size_t>(models));
    EXPECT_LT(left_, compared_);
    EXPECT_GT(judged_, 0u);
  }

  size_t compared_ = 0, left_ = 0, judged_ = 0;
  uint64_t runs_ = 0; ///< number of runs of table-driven teams
  /// If set, emitted kernels are those of teams, and programs with messages in device memory are
  /// counted.
  std::optional<TeamKernelLimits> teamLimits_;
  size_t far_ = 0;
  int weightExponent_ = 0; ///< argument of spreadWeights for the next model; 0: not used
};

using EntryTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(LaneKernels, EntryTypes);

TYPED_TEST(LaneKernels, OfThreadsAreRightAndWithoutFaults) {
  this->checkModels(trials(10), nullptr); // two compilations each
}

TYPED_TEST(LaneKernels, OfEmittedTeamsAreRightAndWithoutFaults) {
  this->teamLimits_.emplace();
  this->checkModels(trials(15), nullptr);
  EXPECT_EQ(this->far_, 0u);
}

/// Tests kernels with little shared memory, so that some messages are in device memory.
TYPED_TEST(LaneKernels, OfEmittedTeamsWithLargeMessagesAreRightAndWithoutFaults) {
  this->teamLimits_ = TeamKernelLimits{4};
  this->checkModels(trials(15), nullptr);
  EXPECT_GT(this->far_, 0u);
}

TYPED_TEST(LaneKernels, OfTableDrivenTeamsAreRightAndWithoutFaults) {
  const auto compiled = compileTeams(teamSource(TestFixture::kType));
  Program &teams = *compiled;
  this->checkModels(trials(100), &teams);
}

TYPED_TEST(LaneKernels, MultiplyAsManySharedTablesAsThereMayBe) {
  const auto compiled = compileTeams(teamSource(TestFixture::kType));
  Program &teams = *compiled;
  for (size_t operands = 1; operands <= kMaxLaneOperands; ++operands)
    this->checkProgram(productOfOnes(operands), CaseBlock({}, 2), 0, &teams);
  EXPECT_EQ(this->left_, 0u);
}

TYPED_TEST(LaneKernels, OfTeamsThatDoNotWaitAreFaulty) {
  const LaneProgram program = sumOfMessage();
  const auto compiled = compileTeams(teamSource(TestFixture::kType));
  Program &teams = *compiled;
  this->checkProgram(program, CaseBlock({}, 2), 0, &teams);
  const CommonTables common(program);
  const LinearPlan plan = planLinear(program, common, TestFixture::kType);
  TeamProgram team = buildTeamProgram(program, plan);
  EXPECT_EQ(team.steps[1].flags & kTeamWaits, kTeamWaits);
  team.steps[1].flags = 0;
  CaseBlock block({}, 2);
  block.count = 2;
  LaneMemory<TypeParam> memory(program, common, plan, team.layout, block);
  EXPECT_NE(TestFixture::launchTeams(teams, team, plan, memory, {}), "");
}

std::string messagesOf(const LaneCheck &check) {
  std::string text;
  for (const KernelProblem &fault : check.faults)
    text += fault.message + "\n";
  return text;
}

/// Returns `text` with its first `what` replaced by `by`.
std::string edited(std::string text, const std::string &what, const std::string &by = "") {
  const size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

TEST(ComparedLanes, CasesThatTheEmittedKernelLeftHaveNoStatesToCompare) {
  LaneProgram program;
  program.type = ElementType::F64;
  program.variables.resize(1);
  const LaneCheck emitted{.left = {0}, .states = {7, 1, 1}};
  LaneCheck edited{.left = {}, .states = {1, 1, 1}};
  compareWithEmitted(program, emitted, edited);
  EXPECT_TRUE(edited.faults.empty());
  edited.states[2] = 0;
  compareWithEmitted(program, emitted, edited);
  EXPECT_EQ(edited.faults.size(), 1u);
}

/// Tests the check of mpfc check-kernel: the emitted text passes, and each edit that breaks it is
/// found.
TYPED_TEST(LaneKernels, ThatWereEditedAreJudged) {
  LaneProgram typed = observedPair();
  typed.type = TestFixture::kType;
  const CommonTables common(typed);
  const auto kernel = emitLanes(typed, common, planLinear(typed, common, typed.type), typed.type);
  ASSERT_TRUE(kernel);
  const CaseBlock block = randomCases(typed, kernel->blockCases * 5 / 2, 1);
  const auto checkOf = [&](const std::string &source) {
    return checkLanes(*compileLanes(source, kernel->name, typed.type), typed, *kernel, block);
  };
  const LaneCheck sound = checkOf(kernel->source);
  EXPECT_EQ(messagesOf(sound), "");
  EXPECT_EQ(sound.compared, block.count);
  EXPECT_NE(messagesOf(checkOf(edited(kernel->source, "__syncthreads();\n  MPF_LANE_OPEN",
                                      "MPF_LANE_OPEN")))
                .find("race in shared memory"),
            std::string::npos);
  EXPECT_NE(messagesOf(checkOf(edited(kernel->source, "results[0 * pitch", "results[1 * pitch"))),
            "");
  // A kernel that leaves out every case is a fault, although it writes nothing wrong.
  const std::string store = "results[0 * pitch + i], ";
  const std::string lazy =
      edited(kernel->source, store,
             fmt::format("{}0 * mpfNotANumber<{}>() * ", store, entryTypeText(typed.type)));
  LaneCheck left = checkOf(lazy);
  EXPECT_EQ(messagesOf(left), "");
  compareWithEmitted(typed, sound, left);
  EXPECT_NE(messagesOf(left).find("is left to other numbers"), std::string::npos);
}

TYPED_TEST(LaneKernels, OfTeamsThatWereEditedAreJudged) {
  LaneProgram program = sumOfMessage();
  program.type = TestFixture::kType;
  const CaseBlock block = randomCases(program, 80, 0);
  const std::string source = teamSource(program.type);
  for (const TeamRun run :
       {TeamRun{TeamArena::Shared, kCasesOfTeam}, TeamRun{TeamArena::Global, kCasesOfTeam},
        TeamRun{TeamArena::Shared, kLeastTeamLanes}}) {
    const auto checkOf = [&](const std::string &text) {
      return messagesOf(checkTeams(*compileTeams(text), program, block, run));
    };
    EXPECT_EQ(checkOf(source), "");
    EXPECT_NE(
        checkOf(edited(source, "if ((step.flags & mpfTeamWaits) != 0)\n      __syncthreads();"))
            .find("race in"),
        std::string::npos);
  }
}

/// Tests that a case is left out if the sum of a posterior's finite entries is infinite.
TYPED_TEST(LaneKernels, LeaveWhereASumOverflows) {
  const auto compiled = compileTeams(teamSource(TestFixture::kType));
  Program &teams = *compiled;
  constexpr int kGreatest = std::numeric_limits<TypeParam>::max_exponent - 1;
  for (Program *kernels : {static_cast<Program *>(nullptr), &teams})
    for (const int exponent : {kGreatest, kGreatest - 1})
      this->checkProgram(productOfOnes(1), CaseBlock({}, 2), exponent, kernels);
  EXPECT_EQ(this->compared_, 0u);
  this->checkProgram(productOfOnes(1), CaseBlock({}, 2), kGreatest - 4, &teams);
  EXPECT_EQ(this->compared_, 2u);
}

/// Tests that a share that vanishes is no 0: its case is left out. A 0 of the model is one.
TYPED_TEST(LaneKernels, LeaveWhereAShareVanishes) {
  const auto compiled = compileTeams(teamSource(TestFixture::kType));
  constexpr int kApart = std::numeric_limits<TypeParam>::max_exponent * 5 / 8;
  for (const double rare : {0.0, std::ldexp(1.0, -kApart)}) {
    LaneProgram program = productOfOnes(2);
    program.outputs.erase(program.outputs.begin());
    for (LaneValues &table : program.values)
      table.values =
          std::make_shared<const std::vector<double>>(std::vector<double>{1, 0.5, rare, 0});
    this->left_ = this->compared_ = 0;
    this->teamLimits_.reset();
    this->checkProgram(program, CaseBlock({}, 2), 0, nullptr);
    this->teamLimits_.emplace();
    this->checkProgram(program, CaseBlock({}, 2), 0, nullptr);
    this->checkProgram(program, CaseBlock({}, 2), 0, compiled.get());
    EXPECT_EQ(this->left_, rare == 0 ? 0u : 6u);
    EXPECT_EQ(this->compared_, rare == 0 ? 6u : 0u);
  }
}

} // namespace
} // namespace mpf::simt
