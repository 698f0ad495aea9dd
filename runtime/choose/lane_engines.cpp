#include "runtime/choose/lane_engines.h"

#include "codegen/bundle/lanes/linear_plan.h"
#include "codegen/bundle/lanes/team_program.h"
#include "codegen/emit/lane_kernel_choice.h"
#include "codegen/predict/lane_speed.h"
#include "dsl/support/query_traits.h"
#include "runtime/choose/lane_facts.h"
#include "runtime/execute/lanes/runner_memory.h"
#include "runtime/execute/lanes/strip_memory.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace mpf {

namespace {

/// The data that all engines of a plan share.
struct LaneProblem {
  const LanePlan &plan;
  const LaneProgram &program;
  const LaneSetting &setting;
  const RunnerMemory memory;
  const CommonTables common;
};

/// Linear arithmetic in one type.
struct Level {
  ElementType type = ElementType::F64;
  LinearPlan linear;
};

/// Returns the levels that a run may use; it begins with the first.
std::vector<Level> possibleLevels(const LaneProblem &problem) {
  std::vector<Level> levels;
  for (const ElementType type : {ElementType::F32, ElementType::F64}) {
    if (elementBytes(type) < elementBytes(problem.program.type))
      continue;
    LinearPlan linear = planLinear(problem.program, problem.common, type);
    if (linear.possible)
      levels.push_back({type, std::move(linear)});
  }
  return levels;
}

/// Returns the bytes of one case's codes, weights and answers in blocks.
uint64_t rowBytesOf(const LaneProgram &program) {
  const CaseSchema &schema = program.schema;
  uint64_t bytes =
      schema.observed.size() * codeBytesFor(schema) + schema.weightCount() * sizeof(double);
  for (const LaneOutput &output : program.outputs)
    bytes += output.sizeElems() * sizeof(double) + sizeof(int32_t);
  if (traitsOf(program.kind).decoding)
    bytes += program.variables.size() * sizeof(uint32_t);
  return bytes;
}

EngineFacts startOf(const LaneProblem &problem, std::string name, std::string device) {
  EngineFacts facts;
  facts.name = std::move(name);
  facts.device = std::move(device);
  facts.rowBytes = rowBytesOf(problem.program);
  facts.lanes = laneFacts(problem.plan);
  return facts;
}

std::string countText(uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// Describes what compiling is predicted to cost and to save.
std::string compiledText(const LaneProblem &problem, const Level &level,
                         const StripMemory &strips) {
  const StripChoice choice = stripsToCompile(problem.program, problem.common, level.linear,
                                             level.type, strips, problem.setting.expectedCases);
  if (choice.texts.empty())
    return "; to compile steps would take longer than it gains";
  double compileUs = 0, gainUs = 0;
  for (const StripText &text : choice.texts) {
    compileUs += text.compileUs;
    gainUs += text.gainUs;
  }
  const auto steps = std::ranges::count_if(choice.isWritten, [](char is) { return is != 0; });
  return fmt::format("; a C++ compiler, if there is one, makes {} of {} steps: {:.2g} s of a core, "
                     "which save {:.2g} s",
                     steps, choice.isWritten.size(), compileUs * 1e-6, gainUs * 1e-6);
}

EngineFacts onCpu(const LaneProblem &problem, const std::vector<Level> &levels) {
  std::vector<ElementType> types;
  for (const Level &level : levels)
    types.push_back(level.type);
  const StripMemory strips = planStripMemory(
      problem.program, levels.front().linear, types.front(), problem.setting.threads,
      linearPart(problem.memory.linearBytes, types.front(), types));
  EngineFacts facts = startOf(problem, "lanes on the CPU", "cpu");
  facts.casesAtOnce = strips.lanes * strips.workers;
  facts.atOnce = fmt::format("{} in the strip of each of {}", strips.lanes,
                             countText(strips.workers, "thread"));
  facts.caseBytes = strips.workerBytes / strips.lanes;
  facts.sharedBytes = strips.sharedBytes + problem.memory.commonBytes;
  facts.rowsPerSecond =
      laneRowsOnCpu(problem.plan, problem.setting.rates.cpuLanes, types.front(), strips.workers);
  facts.why = "what no case changes is computed once, cases side by side" +
              compiledText(problem, levels.front(), strips);
  return facts;
}

EngineFacts inWideNumbers(const LaneProblem &problem) {
  const RunnerMemory &memory = problem.memory;
  EngineFacts facts = startOf(problem, "lanes in wide numbers", "cpu");
  facts.casesAtOnce = memory.wideWorkers;
  facts.atOnce = fmt::format("one in each of {}", countText(memory.wideWorkers, "thread"));
  facts.caseBytes = memory.wideBytes;
  facts.sharedBytes = memory.commonBytes;
  facts.rowsPerSecond =
      laneRowsInWideNumbers(problem.plan, problem.setting.rates.cpuLanes, memory.wideWorkers);
  facts.why = "products of the tables, or exponents, span more binary orders than f64 has";
  return facts;
}

EngineFacts byThreads(const LaneProblem &problem, const Level &level, const Target &gpu,
                      const LaneLimitsOfDevice &allLimits) {
  const LaneProgram &program = problem.program;
  const LaneKernelLimits &limits = allLimits.threads;
  EngineFacts facts = startOf(problem, "lanes, a thread for each case", gpu.name);
  facts.why = fmt::format("a case has {} terms, a kernel for one thread at most {}",
                          laneKernelTerms(program), laneKernelLimits(gpu).terms);
  if (limits.terms < laneKernelLimits(gpu).terms)
    facts.why = fmt::format("a case has {} terms; over these cases it pays to compile at most {}",
                            laneKernelTerms(program), limits.terms);
  const std::optional<LaneKernel> kernel =
      emitLanes(program, problem.common, level.linear, level.type, limits);
  if (!kernel) {
    facts.refused = true;
    return facts;
  }
  const uint64_t blocks = residentBlocks(*kernel, gpu.maxThreadsPerSm, gpu.sharedBytesPerSm);
  facts.casesAtOnce = gpu.smCount * blocks * kernel->blockThreads;
  facts.atOnce = fmt::format("{} threads in each of {} on each of {} multiprocessors",
                             kernel->blockThreads, countText(blocks, "block"), gpu.smCount);
  facts.caseBytes = program.laneElems * elementBytes(level.type);
  facts.sharedBytes = kernel->imageElems * elementBytes(level.type);
  facts.rowsPerSecond =
      laneRowsByThreads(problem.plan, problem.setting.rates.gpuLanes, level.type, gpu);
  return facts;
}

EngineFacts teamsOf(const LaneProblem &problem, std::string name, const Target &gpu,
                    uint64_t teams) {
  EngineFacts facts = startOf(problem, std::move(name), gpu.name);
  facts.casesAtOnce = kCasesOfTeam * gpu.smCount * teams;
  facts.atOnce = fmt::format("{} in each of {} on each of {} multiprocessors", kCasesOfTeam,
                             countText(teams, "team"), gpu.smCount);
  return facts;
}

/// Returns the engine with a kernel for this program, then the one with table-driven kernels.
std::vector<EngineFacts> byTeams(const LaneProblem &problem, const Level &level, const Target &gpu,
                                 const LaneLimitsOfDevice &limits) {
  const TeamProgram team = buildTeamProgram(problem.program, level.linear);
  const TableDrivenSpeed speed =
      tableDrivenSpeed(problem.plan, problem.setting.rates.gpuLanes, level.type, gpu);
  const TeamShape &shape = speed.shape;
  EngineFacts tables = startOf(problem, "lanes, table-driven teams of warps", gpu.name);
  tables.casesAtOnce = speed.speed.casesAtOnce;
  tables.partRounds = speed.speed.partRounds;
  tables.atOnce = fmt::format("{} in each of {}", shape.lanes, countText(shape.blocks, "team"));
  tables.caseBytes = team.arenaElems * elementBytes(level.type) + team.slotCount * sizeof(int32_t);
  tables.sharedBytes = team.layout.imageElems * elementBytes(level.type);
  tables.rowsPerSecond = speed.speed.rowsPerSecond;
  tables.why = fmt::format("nothing to compile; messages in {} memory",
                           shape.isShared ? "shared" : "device");
  const std::optional<LaneKernel> kernel =
      emitTeams(problem.program, level.linear, level.type, limits.teams);
  EngineFacts emitted =
      teamsOf(problem, "lanes, a team of warps for 32 cases", gpu,
              kernel ? residentBlocks(*kernel, gpu.maxThreadsPerSm, gpu.sharedBytesPerSm) : 1);
  emitted.why = "compiling a kernel would take longer than it gains";
  emitted.refused = !kernel;
  if (kernel) {
    emitted.caseBytes = (kernel->sharedBytes - kernel->pickedBytes) / kCasesOfTeam +
                        kernel->scratchElems / kCasesOfTeam * elementBytes(level.type);
    emitted.sharedBytes = kernel->imageElems * elementBytes(level.type);
    emitted.rowsPerSecond =
        laneRowsByEmittedTeams(problem.plan, problem.setting.rates.gpuLanes, level.type, gpu);
    emitted.why = fmt::format("a kernel for cases with too many terms for one thread; {}",
                              kernel->scratchElems == 0 ? "messages in shared memory"
                                                        : "large messages in device memory");
  }
  return {emitted, tables};
}

} // namespace

std::vector<EngineFacts> laneEngines(const LanePlan &plan, const LaneSetting &setting) {
  const LaneProgram &program = plan.program;
  const RunnerMemory memory = divideRunnerMemory(program, setting.threads, setting.maxBytes);
  const LaneProblem problem{plan, program, setting, memory, CommonTables(program)};
  const std::vector<Level> levels = possibleLevels(problem);
  if (levels.empty())
    return {inWideNumbers(problem)};
  if (!setting.gpu)
    return {onCpu(problem, levels)};
  const LaneLimitsOfDevice limits = laneLimitsFor(*setting.gpu, setting.tableDrivenSeconds);
  const std::vector<EngineFacts> teams = byTeams(problem, levels.front(), *setting.gpu, limits);
  std::vector<EngineFacts> engines = {byThreads(problem, levels.front(), *setting.gpu, limits)};
  engines.insert(engines.end(), teams.begin(), teams.end());
  return engines;
}

} // namespace mpf
