#include "runtime/cases/lane_speed.h"

#include "codegen/bundle/lanes/team_program.h"
#include "codegen/emit/lanes/emit_lanes.h"
#include "dsl/support/query_traits.h"
#include "runtime/execute/lanes/kernels/lane_kernels.h"

#include <algorithm>

namespace mpf {

namespace {

/// Multiply-adds of a lane that a core does in a microsecond, in F64 and in F32, and the time of a
/// case beside them: its codes, and each entry of its answers. Measured with `mpf-bench cases` over
/// alarm, hailfinder and win95pts, on cores with AVX2 and with AVX-512; between them.
constexpr double kCoreF64PerUs = 9000, kCoreF32PerUs = 12000, kCaseUs = 0.02, kAnswerUs = 0.006;
/// Where the messages of a strip exceed the cache of a core. Over andes, diabetes, munin4 and pigs:
/// from 4000 to 18000 where there is AVX-512.
constexpr double kFarF64PerUs = 5500, kFarF32PerUs = 6500;
constexpr uint64_t kNearStripBytes = uint64_t{1} << 20;
/// The same in numbers with exponents of their own, over a chain of 30 variables.
constexpr double kCoreWidePerUs = 24;
/// From one step of theirs to the next: all warps of a team wait for each other. Over alarm on an
/// H200, whose 27 steps take 30 us; over hailfinder on an H100 1.3.
constexpr double kTeamStepUs = 1.1;
/// Of what a multiprocessor could issue, kernels with a thread for each case do so much: 0.70 of
/// it over hailfinder, 0.63 over alarm, 0.44 over child and win95pts, in F64 0.70 to 0.40, on an
/// H200.
constexpr double kIssuedShare = 0.54;
/// Threads of such kernels, about: their registers bound it.
constexpr uint64_t kUsualThreadsOfSm = 512;

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

/// LaneCosts counts in F32, whatever the type.
double laneRowsByThreads(const LanePlan &plan, ElementType type, const Target &target) {
  const double issueUs = plan.laneCost / (kIssuedShare * target.f32FlopsPerUs / 2);
  return 1e6 / std::max(issueUs, rowUs(plan.program, type, target));
}

namespace {

/// By what tiles load and store. Over seven networks on an H200 within a factor of 1.6: caches
/// spare some loads, and in F32 accesses are of half as many bytes.
double rowsByTeams(const LanePlan &plan, const TeamWork &work, ElementType type,
                   const Target &target, bool isShared) {
  const double issueUs = work.instructions / (target.f32FlopsPerUs / 2);
  const uint64_t teams = target.smCount * teamsOfMultiprocessor(work, isShared);
  const auto entryBytes = static_cast<double>(elementBytes(type));
  const double bytes = (work.loadedElems + work.storedElems) * entryBytes;
  const auto casesAtOnce = static_cast<double>(kCasesOfTeam * teams);
  const bool isNear = static_cast<double>(plan.program.laneElems) * entryBytes * casesAtOnce <=
                      static_cast<double>(target.l2Bytes);
  const double bytesUs = bytes / (isNear ? target.l2BytesPerUs : target.copyBytesPerUs);
  const double waitUs = kTeamStepUs * static_cast<double>(plan.program.steps.size()) / casesAtOnce;
  return 1e6 /
         (waitUs + std::max({issueUs, isShared ? 0 : bytesUs, rowUs(plan.program, type, target)}));
}

} // namespace

double laneRowsByTeams(const LanePlan &plan, ElementType type, const Target &target,
                       bool isShared) {
  return rowsByTeams(plan, teamWork(plan.program), type, target, isShared);
}

double laneRowsByEmittedTeams(const LanePlan &plan, ElementType type, const Target &target,
                              bool isShared) {
  // So many times as fast as the table-driven ones: insurance 4.8, water 1.7 on an H200.
  constexpr double kGain = 3;
  return std::min(kGain * laneRowsByTeams(plan, type, target, isShared),
                  laneRowsByThreads(plan, type, target));
}

namespace {

EngineSpeed tableDrivenSpeed(const LanePlan &plan, const Target &gpu) {
  const ElementType type = plan.program.type;
  const bool isShared = fitsShared(plan.program.laneElems + plan.program.schema.weightCount(),
                                   kCasesOfTeam, type, gpu.sharedBytesPerBlock);
  const TeamWork work = teamWork(plan.program);
  return {rowsByTeams(plan, work, type, gpu, isShared),
          kCasesOfTeam * gpu.smCount * teamsOfMultiprocessor(work, isShared)};
}

} // namespace

double tableDrivenSeconds(const LanePlan &plan, const Target &target, double cases) {
  return tableDrivenSpeed(plan, target).secondsFor(cases);
}

EngineSpeed laneSpeed(const LanePlan &plan, uint64_t threads, const std::optional<Target> &gpu) {
  const LaneProgram &program = plan.program;
  const ElementType type = program.type;
  if (!gpu)
    return {laneRowsOnCpu(plan, type, threads), threads};
  if (laneKernelTerms(program) <= laneKernelLimits(*gpu).terms)
    return {laneRowsByThreads(plan, type, *gpu), gpu->smCount * kUsualThreadsOfSm};
  return tableDrivenSpeed(plan, *gpu);
}

} // namespace mpf
