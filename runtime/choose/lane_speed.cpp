#include "runtime/choose/lane_speed.h"

#include "codegen/bundle/lanes/team_program.h"
#include "codegen/emit/lane_kernel_choice.h"
#include "dsl/support/query_traits.h"
#include "runtime/execute/lanes/kernels/lane_kernels.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

/// Rates of a core in multiply-adds of a lane per microsecond, in F64 and in F32. The other two
/// times of a case are those of its codes, and of each entry of its answers.
/// Measured with `mpf-bench cases` over alarm, hailfinder and win95pts, on cores with AVX2 and with
/// AVX-512; the rates are between both. AVX-512 reaches 16500 to 21500 in F64. AVX2 was not
/// measured again since calls of kernels became faster. Compiled steps (lanes/compiled) are not
/// modelled: they take half the time, if they pay.
constexpr double kCoreF64PerUs = 12500, kCoreF32PerUs = 17000, kCaseUs = 0.02, kAnswerUs = 0.002;
/// Rates if the messages of a strip exceed the cache of a core. Measured over andes, diabetes,
/// munin4 and pigs: 4000 to 18000 with AVX-512.
constexpr double kFarF64PerUs = 5500, kFarF32PerUs = 6500;
constexpr uint64_t kNearStripBytes = uint64_t{1} << 20;
/// Rate in numbers with separate exponents, over a chain of 30 variables.
constexpr double kCoreWidePerUs = 24;
/// Time from one step of a team to the next, because all its warps wait for each other. The 27
/// steps of alarm take 30 us on an H200; the time over hailfinder on an H100 is 1.3 us.
constexpr double kTeamStepUs = 1.1;
/// Time that a worker of a team waits for each load of its share of a step
/// (TeamWork::busiestWaits): of messages in device memory and in shared memory. The third is the
/// time of each decoded state. Measured over 64 cases of diabetes and munin1 on an H200, all
/// marginals and best assignments: 0.034 to 0.06 us, and about 0.8. The time for shared memory
/// follows from the latencies of both memories.
constexpr double kFarWaitUs = 0.045, kNearWaitUs = 0.008, kDecodedStateUs = 0.8;
/// The part of that wait if a worker is a whole warp, because its lists of addresses are read once
/// for 32 cases. Measured over 16384 cases of hailfinder and munin4 on an H200, all marginals.
constexpr double kWholeWarpWaits = 0.5;
/// The share of a multiprocessor's issue rate that kernels with a thread for each case reach. On an
/// H200 it is 0.70 over hailfinder, 0.63 over alarm, 0.44 over child and win95pts; in F64 0.40 to
/// 0.70.
constexpr double kIssuedShare = 0.54;
/// Approximate number of such threads on a multiprocessor; their registers bound it.
constexpr uint64_t kUsualThreadsOfSm = 512;

/// Returns the approximate lanes of a core's strip, as planStripMemory divides memory. A strip
/// takes as long for one case as for all its lanes.
uint64_t stripLanes(const LaneProgram &program, ElementType type) {
  const bool isWide = program.laneElems <= kNearStripBytes / kWideStripBytes;
  return (isWide ? kWideStripBytes : kNarrowStripBytes) / elementBytes(type);
}

double rowsOfCore(const LanePlan &plan, double multiplyAddsPerUs) {
  return 1e6 /
         (plan.laneCost / multiplyAddsPerUs + kCaseUs + kAnswerUs * answerElems(plan.program));
}

/// Returns the time that a GPU's memory takes for the input and the answers of a case.
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

/// Returns the lower of two rates. The issue rate is that of F32, because LaneCosts counts in F32
/// for every type.
double laneRowsByThreads(const LanePlan &plan, ElementType type, const Target &target) {
  const double issueUs = plan.laneCost / (kIssuedShare * target.f32FlopsPerUs / 2);
  return 1e6 / std::max(issueUs, rowUs(plan.program, type, target));
}

namespace {

/// The work of a program on table-driven teams, and its device.
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
  /// Returns the shape for very many cases.
  TeamShape usualShape() const { return shapeFor(uint64_t{1} << 40); }
};

/// Returns the time of a round of `cases`, at most as many as `shape` answers at once. The longest
/// of these decides: the busiest worker, the instructions of all workers, or their loads and
/// stores. Over seven networks on an H200 it is right within a factor of 1.7: caches spare some
/// loads, and accesses in F32 have half as many bytes.
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
  // They are this many times as fast as table-driven ones; insurance 4.8, water 1.7 on an H200.
  constexpr double kGain = 3;
  return std::min(kGain * laneRowsByTeams(plan, type, target),
                  laneRowsByThreads(plan, type, target));
}

TableDrivenSpeed tableDrivenSpeed(const LanePlan &plan, ElementType type, const Target &gpu) {
  const TeamProblem problem{plan, type, gpu};
  const TeamShape usual = problem.usualShape();
  EngineSpeed speed{rowsByTeams(problem), usual.casesAtOnce()};
  for (uint64_t cases = kLeastTeamLanes; cases < speed.casesAtOnce; cases *= 2) {
    // If the memory has no room for more teams, a multiprocessor runs one after the other.
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
