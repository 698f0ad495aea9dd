#include "codegen/predict/lane_speed.h"

#include "codegen/bundle/lanes/strip_bytes.h"
#include "codegen/bundle/lanes/team_program.h"
#include "codegen/emit/lane_kernel_choice.h"
#include "dsl/support/query_traits.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

constexpr uint64_t kNearStripBytes = uint64_t{1} << 20; ///< messages that stay in a core's cache

/// Returns the approximate lanes of a core's strip, as planStripMemory divides memory. A strip
/// takes as long for one case as for all its lanes.
uint64_t stripLanes(const LaneProgram &program, ElementType type) {
  const bool isWide = program.laneElems <= kNearStripBytes / kWideStripBytes;
  return (isWide ? kWideStripBytes : kNarrowStripBytes) / elementBytes(type);
}

double rowsOfCore(const LanePlan &plan, const CpuLaneRates &rates, double multiplyAddsPerUs) {
  return 1e6 / (plan.laneCost / multiplyAddsPerUs + rates.caseUs +
                rates.answerUs * answerElems(plan.program));
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

double laneRowsOnCpu(const LanePlan &plan, const CpuLaneRates &rates, ElementType type,
                     uint64_t threads) {
  const bool isFar = plan.program.laneElems > kNearStripBytes / kNarrowStripBytes;
  const bool isF32 = type == ElementType::F32;
  const double rate = isFar   ? (isF32 ? rates.farF32PerUs : rates.farF64PerUs)
                      : isF32 ? rates.f32PerUs
                              : rates.f64PerUs;
  return static_cast<double>(threads) * rowsOfCore(plan, rates, rate);
}

double laneRowsInWideNumbers(const LanePlan &plan, const CpuLaneRates &rates, uint64_t threads) {
  return static_cast<double>(threads) * rowsOfCore(plan, rates, rates.widePerUs);
}

double laneSharedSeconds(const LaneProgram &program, const CpuLaneRates &rates) {
  double multiplyAdds = 0;
  for (const LaneOperation &operation : program.commonOperations)
    multiplyAdds += operation.addressesApproximately() *
                    static_cast<double>(std::max<size_t>(operation.operands.size(), 2) - 1);
  return 1e-6 * multiplyAdds / rates.widePerUs;
}

/// Returns the lower of two rates. The issue rate is that of F32, because LaneCosts counts in F32
/// for every type.
double laneRowsByThreads(const LanePlan &plan, const GpuLaneRates &rates, ElementType type,
                         const Target &target) {
  const double issueUs = plan.laneCost / (rates.issuedShare * target.f32FlopsPerUs / 2);
  return 1e6 / std::max(issueUs, rowUs(plan.program, type, target));
}

namespace {

/// The work of a program on table-driven teams, and its device.
struct TeamProblem {
  const LanePlan &plan;
  const GpuLaneRates &rates;
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
  const auto &[plan, rates, type, target, work, room] = problem;
  const auto count = static_cast<double>(cases);
  const uint64_t workers = shape.warps * kCasesOfTeam / shape.lanes;
  const double loadUs = (shape.isShared ? rates.nearWaitUs : rates.farWaitUs) *
                        (shape.lanes == kCasesOfTeam ? rates.wholeWarpWaits : 1);
  const double waitUs = rates.teamStepUs * static_cast<double>(work.steps) +
                        loadUs * work.busiestWaits(workers) +
                        rates.decodedStateUs * work.decodedStates;
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

double laneRowsByTeams(const LanePlan &plan, const GpuLaneRates &rates, ElementType type,
                       const Target &target) {
  return rowsByTeams({plan, rates, type, target});
}

double laneRowsByEmittedTeams(const LanePlan &plan, const GpuLaneRates &rates, ElementType type,
                              const Target &target) {
  return std::min(rates.emittedGain * laneRowsByTeams(plan, rates, type, target),
                  laneRowsByThreads(plan, rates, type, target));
}

TableDrivenSpeed tableDrivenSpeed(const LanePlan &plan, const GpuLaneRates &rates, ElementType type,
                                  const Target &gpu) {
  const TeamProblem problem{plan, rates, type, gpu};
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

double tableDrivenSeconds(const LanePlan &plan, const GpuLaneRates &rates, const Target &target,
                          double cases) {
  return tableDrivenSpeed(plan, rates, plan.program.type, target).speed.secondsFor(cases);
}

EngineSpeed laneSpeed(const LanePlan &plan, const EngineRates &rates, uint64_t threads,
                      const std::optional<Target> &gpu, std::optional<double> tableDrivenSeconds) {
  const LaneProgram &program = plan.program;
  const ElementType type = program.type;
  if (!gpu)
    return {laneRowsOnCpu(plan, rates.cpuLanes, type, threads),
            threads * stripLanes(program, type)};
  const uint64_t terms = laneKernelTerms(program);
  if (terms <= laneLimitsFor(*gpu, tableDrivenSeconds).threads.terms)
    return {.rowsPerSecond = laneRowsByThreads(plan, rates.gpuLanes, type, *gpu),
            .casesAtOnce = gpu->smCount * static_cast<uint64_t>(rates.gpuLanes.threadsOfSm),
            .compileSeconds = tableDrivenSeconds ? laneCompilingSeconds(terms) : 0};
  return tableDrivenSpeed(plan, rates.gpuLanes, type, *gpu).speed;
}

double listUs(const LanePlan &plan, const LaneLoad &load) {
  std::optional<double> tables;
  if (load.gpu)
    tables = tableDrivenSeconds(plan, load.rates.gpuLanes, *load.gpu, load.cases);
  return 1e6 * laneSpeed(plan, load.rates, load.threads, load.gpu, tables).secondsFor(load.cases);
}

} // namespace mpf
