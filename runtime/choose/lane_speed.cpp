#include "runtime/choose/lane_speed.h"

#include "codegen/bundle/lanes/team_program.h"
#include "codegen/emit/lane_kernel_choice.h"
#include "dsl/support/query_traits.h"
#include "runtime/execute/lanes/kernels/lane_kernels.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

/// Multiply-adds of a lane that a core does in a microsecond, in F64 and in F32, and the time of a
/// case beside them: its codes, and each entry of its answers. Measured with `mpf-bench cases` over
/// alarm, hailfinder and win95pts, on cores with AVX2 and with AVX-512; between them.
/// With AVX-512 16500 to 21500 in F64; with AVX2 not measured since kernels took less for a call.
/// Compiled steps (lanes/compiled) are left out: they take half of that, if they pay.
constexpr double kCoreF64PerUs = 12500, kCoreF32PerUs = 17000, kCaseUs = 0.02, kAnswerUs = 0.002;
/// Where the messages of a strip exceed the cache of a core. Over andes, diabetes, munin4 and pigs:
/// from 4000 to 18000 where there is AVX-512.
constexpr double kFarF64PerUs = 5500, kFarF32PerUs = 6500;
constexpr uint64_t kNearStripBytes = uint64_t{1} << 20;
/// The same in numbers with exponents of their own, over a chain of 30 variables.
constexpr double kCoreWidePerUs = 24;
/// From one step of theirs to the next: all warps of a team wait for each other. Over alarm on an
/// H200, whose 27 steps take 30 us; over hailfinder on an H100 1.3.
constexpr double kTeamStepUs = 1.1;
/// Of a worker of a team for each load of its share of a step (TeamWork::busiestWaits), of messages
/// in device memory and in shared memory, and for each state that is decoded. Over 64 cases of
/// diabetes and munin1 on an H200, all marginals and best assignments: 0.034 to 0.06 us, and about
/// 0.8. Those in shared memory by the latencies of both.
constexpr double kFarWaitUs = 0.045, kNearWaitUs = 0.008, kDecodedStateUs = 0.8;
/// Of that where a worker is a whole warp: its lists of addresses are read once for 32 cases. Over
/// 16384 cases of hailfinder and munin4 on an H200, all marginals.
constexpr double kWholeWarpWaits = 0.5;
/// Of what a multiprocessor could issue, kernels with a thread for each case do so much: 0.70 of
/// it over hailfinder, 0.63 over alarm, 0.44 over child and win95pts, in F64 0.70 to 0.40, on an
/// H200.
constexpr double kIssuedShare = 0.54;
/// Threads of such kernels, about: their registers bound it.
constexpr uint64_t kUsualThreadsOfSm = 512;

/// Of a core, as planStripMemory divides memory, about: a strip takes as long for one case.
uint64_t stripLanes(const LaneProgram &program, ElementType type) {
  const bool isWide = program.laneElems <= kNearStripBytes / kWideStripBytes;
  return (isWide ? kWideStripBytes : kNarrowStripBytes) / elementBytes(type);
}

double rowsOfCore(const LanePlan &plan, double multiplyAddsPerUs) {
  return 1e6 /
         (plan.laneCost / multiplyAddsPerUs + kCaseUs + kAnswerUs * answerElems(plan.program));
}

/// Of a GPU's memory, for what a case sets and its answers.
double rowUs(const LaneProgram &program, ElementType type, const Target &target) {
  const CaseSchema &schema = program.schema;
  const double entries = static_cast<double>(schema.weightCount()) + answerElems(program);
  const auto codes = static_cast<double>(schema.observed.size() * codeBytesFor(schema));
  return (codes + entries * static_cast<double>(elementBytes(type))) / target.copyBytesPerUs;
}

} // namespace

double answerElems(const LaneProgram &program) {
  double answers =
      traitsOf(program.kind).decoding ? static_cast<double>(program.variables.size()) : 0;
  for (const LaneOutput &output : program.outputs)
    answers += static_cast<double>(output.sizeElems());
  return answers;
}

double laneRowsOnCpu(const LanePlan &plan, ElementType type, uint64_t threads) {
  const bool isFar = plan.program.laneElems > kNearStripBytes / kNarrowStripBytes;
  const bool isF32 = type == ElementType::F32;
  const double rate = isFar   ? (isF32 ? kFarF32PerUs : kFarF64PerUs)
                      : isF32 ? kCoreF32PerUs
                              : kCoreF64PerUs;
  return static_cast<double>(threads) * rowsOfCore(plan, rate);
}

double laneRowsInWideNumbers(const LanePlan &plan, uint64_t threads) {
  return static_cast<double>(threads) * rowsOfCore(plan, kCoreWidePerUs);
}

double laneSharedSeconds(const LaneProgram &program) {
  double multiplyAdds = 0;
  for (const LaneOperation &operation : program.commonOperations)
    multiplyAdds += operation.addressesApproximately() *
                    static_cast<double>(std::max<size_t>(operation.operands.size(), 2) - 1);
  return 1e-6 * multiplyAdds / kCoreWidePerUs;
}

/// LaneCosts counts in F32, whatever the type.
double laneRowsByThreads(const LanePlan &plan, ElementType type, const Target &target) {
  const double issueUs = plan.laneCost / (kIssuedShare * target.f32FlopsPerUs / 2);
  return 1e6 / std::max(issueUs, rowUs(plan.program, type, target));
}

namespace {

/// What a program has to do by table-driven teams, and where.
struct TeamProblem {
  const LanePlan &plan;
  const ElementType type;
  const Target &target;
  const TeamWork work = teamWork(plan.program);
  const TeamRoom room = roomOf(plan, type, target);

  static TeamRoom roomOf(const LanePlan &plan, ElementType type, const Target &target) {
    const uint64_t elems = plan.program.laneElems + plan.program.schema.weightCount();
    const uint64_t bytes = std::max<uint64_t>(elems * elementBytes(type), 1);
    return {target.smCount, sharedTeamLanes(elems, type, target.sharedBytesPerBlock),
            std::max(target.memoryBytes / 10 * 9 / bytes, kLeastTeamLanes)};
  }

  TeamShape shapeFor(uint64_t cases) const { return teamShape(cases, teamWarps(work), room); }
  /// Where there are very many cases.
  TeamShape usualShape() const { return shapeFor(uint64_t{1} << 40); }
};

/// Of a round of `cases`, which are as many as `shape` answers at once, or fewer. Either the
/// busiest worker takes the longest, or what all of them issue, or load and store. Over seven
/// networks on an H200 within a factor of 1.7: caches spare some loads, and in F32 accesses are of
/// half as many bytes.
double roundUs(const TeamProblem &problem, const TeamShape &shape, uint64_t cases) {
  const auto &[plan, type, target, work, room] = problem;
  const auto count = static_cast<double>(cases);
  const uint64_t workers = shape.warps * kCasesOfTeam / shape.lanes;
  const double loadUs = (shape.isShared ? kNearWaitUs : kFarWaitUs) *
                        (shape.lanes == kCasesOfTeam ? kWholeWarpWaits : 1);
  const double waitUs = kTeamStepUs * static_cast<double>(work.steps) +
                        loadUs * work.busiestWaits(workers) + kDecodedStateUs * work.decodedStates;
  const double issueUs = count * work.instructions / (target.f32FlopsPerUs / 2);
  const auto entryBytes = static_cast<double>(elementBytes(type));
  const double bytes = count * (work.loadedElems + work.storedElems) * entryBytes;
  const bool isNear = static_cast<double>(plan.program.laneElems) * entryBytes * count <=
                      static_cast<double>(target.l2Bytes);
  const double bytesUs = bytes / (isNear ? target.l2BytesPerUs : target.copyBytesPerUs);
  return std::max(
      {waitUs, issueUs, shape.isShared ? 0 : bytesUs, count * rowUs(plan.program, type, target)});
}

double rowsByTeams(const TeamProblem &problem) {
  const TeamShape shape = problem.usualShape();
  const uint64_t cases = shape.casesAtOnce();
  return 1e6 * static_cast<double>(cases) / roundUs(problem, shape, cases);
}

} // namespace

double laneRowsByTeams(const LanePlan &plan, ElementType type, const Target &target) {
  return rowsByTeams({plan, type, target});
}

double laneRowsByEmittedTeams(const LanePlan &plan, ElementType type, const Target &target) {
  // So many times as fast as the table-driven ones: insurance 4.8, water 1.7 on an H200.
  constexpr double kGain = 3;
  return std::min(kGain * laneRowsByTeams(plan, type, target),
                  laneRowsByThreads(plan, type, target));
}

TableDrivenSpeed tableDrivenSpeed(const LanePlan &plan, ElementType type, const Target &gpu) {
  const TeamProblem problem{plan, type, gpu};
  const TeamShape usual = problem.usualShape();
  EngineSpeed speed{rowsByTeams(problem), usual.casesAtOnce()};
  for (uint64_t cases = kLeastTeamLanes; cases < speed.casesAtOnce; cases *= 2) {
    // A multiprocessor takes one team after the other, where the memory has no room for more.
    const TeamShape shape = problem.shapeFor(cases);
    const uint64_t atOnce = std::min(cases, shape.casesAtOnce());
    const uint64_t rounds = (cases + atOnce - 1) / atOnce;
    speed.partRounds.push_back(
        {cases, 1e-6 * static_cast<double>(rounds) * roundUs(problem, shape, atOnce)});
  }
  return {std::move(speed), usual};
}

double tableDrivenSeconds(const LanePlan &plan, const Target &target, double cases) {
  return tableDrivenSpeed(plan, plan.program.type, target).speed.secondsFor(cases);
}

EngineSpeed laneSpeed(const LanePlan &plan, uint64_t threads, const std::optional<Target> &gpu,
                      std::optional<double> tableDrivenSeconds) {
  const LaneProgram &program = plan.program;
  const ElementType type = program.type;
  if (!gpu)
    return {laneRowsOnCpu(plan, type, threads), threads * stripLanes(program, type)};
  const uint64_t terms = laneKernelTerms(program);
  if (terms <= laneLimitsFor(*gpu, tableDrivenSeconds).threads.terms)
    return {.rowsPerSecond = laneRowsByThreads(plan, type, *gpu),
            .casesAtOnce = gpu->smCount * kUsualThreadsOfSm,
            .compileSeconds = tableDrivenSeconds ? laneCompilingSeconds(terms) : 0};
  return tableDrivenSpeed(plan, type, *gpu).speed;
}

ListPrediction listPrediction(uint64_t threads, const std::optional<Target> &gpu, double cases) {
  return [threads, gpu, cases](const LanePlan &plan) {
    std::optional<double> tables;
    if (gpu)
      tables = tableDrivenSeconds(plan, *gpu, cases);
    return 1e6 * laneSpeed(plan, threads, gpu, tables).secondsFor(cases);
  };
}

} // namespace mpf
