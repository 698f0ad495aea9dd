#include "runtime/simt/lanes/lane_run.h"

#include "codegen/bundle/entry_type_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace mpf::simt {

namespace {

constexpr uint64_t kLaneBlocks = 2;

template <class T> Buffer bufferOf(const char *name, std::vector<T> &values) {
  return {name, std::as_writable_bytes(std::span(values))};
}

/// Returns a buffer that no kernel may write.
template <class T> Buffer readOnly(const char *name, std::vector<T> &values) {
  return {name, std::as_writable_bytes(std::span(values)), false, true};
}

template <class T> std::vector<Buffer> buffersOf(LaneMemory<T> &memory) {
  return {readOnly("codes", memory.codes),         readOnly("weights", memory.weights),
          readOnly("image", memory.image),         bufferOf("results", memory.results),
          bufferOf("exponents", memory.exponents), bufferOf("states", memory.states)};
}

template <class Number> Argument numberOf(Number value) {
  return Argument::number(static_cast<int>(value));
}

} // namespace

template <class T>
LaneMemory<T>::LaneMemory(const LaneProgram &program, const CommonTables &common,
                          const LinearPlan &plan, const LaneKernel &kernel, const CaseBlock &block)
    : count(block.count), pitch(block.count + 3), codes(kernel.wordCount() * pitch),
      weights(program.schema.weightCount() * pitch), image(laneImage<T>(kernel, plan, common)),
      results(kernel.resultElems * pitch), exponents(kernel.exponentOutputs.size() * pitch),
      states(program.variables.size() * pitch) {
  const CaseRange all{0, block.count, pitch};
  packLaneCodes(kernel, block, all, pitch, codes.data());
  packLaneWeights(program.schema, block, all, pitch, weights.data());
}

std::unique_ptr<Program> compileLanes(const std::string &source, const std::string &name,
                                      ElementType type) {
  const std::string entry = fmt::format("{} *", entryTypeText(type));
  const std::string given = "const " + entry;
  return std::make_unique<Program>(
      source, std::vector<Program::Entry>{{name,
                                           {"const unsigned *", given, "int", "int", given, entry,
                                            "int *", "unsigned *", entry}}});
}

std::unique_ptr<Program> compileTeams(const std::string &source) {
  std::vector<std::string> parameters = {"const MpfTeamFour *",
                                         "const MpfTeamPart *",
                                         "const int *",
                                         "const unsigned *",
                                         "const MpfEntry *",
                                         "int",
                                         "int",
                                         "const MpfEntry *",
                                         "MpfEntry *",
                                         "int *",
                                         "unsigned *",
                                         "MpfEntry *",
                                         "int *"};
  parameters.insert(parameters.end(), 6, "int");
  return std::make_unique<Program>(
      source, std::vector<Program::Entry>{{teamEntry(true, kCasesOfTeam), parameters},
                                          {teamEntry(false, kCasesOfTeam), parameters},
                                          {teamEntry(false, kLeastTeamLanes), parameters}});
}

template <class T>
Report runLanes(Program &compiled, const LaneKernel &kernel, LaneMemory<T> &memory) {
  std::vector<T> scratch(std::max<uint64_t>(1, kLaneBlocks * kernel.scratchElems));
  std::vector<Buffer> buffers = buffersOf(memory);
  buffers.push_back(bufferOf("scratch", scratch));
  const std::vector<Argument> arguments = {
      Argument::buffer(0),    Argument::buffer(1), numberOf(memory.pitch),
      numberOf(memory.count), Argument::buffer(2), Argument::buffer(3),
      Argument::buffer(4),    Argument::buffer(5), Argument::buffer(6)};
  Launch launch;
  launch.gridBlocks = kLaneBlocks;
  launch.blockThreads = kernel.blockThreads;
  launch.sharedBytes = kernel.sharedBytes;
  return compiled.run(kernel.name, launch, buffers, arguments);
}

template <class T>
Report runTeams(Program &compiled, TeamProgram &team, const LinearPlan &plan, LaneMemory<T> &memory,
                const TeamRun &run) {
  const bool isShared = run.arena == TeamArena::Shared;
  std::vector<T> scratch(isShared ? 1 : kLaneBlocks * team.arenaElems * run.lanes);
  std::vector<int32_t> slots(kLaneBlocks * team.slotCount * run.lanes + 1);
  std::vector<Buffer> buffers = {readOnly("steps", team.steps), readOnly("parts", team.parts),
                                 readOnly("addresses", team.addresses)};
  const std::vector<Buffer> ofCases = buffersOf(memory);
  buffers.insert(buffers.end(), ofCases.begin(), ofCases.end());
  buffers.push_back(bufferOf("scratch", scratch));
  buffers.push_back(bufferOf("slots", slots));
  const std::vector<Argument> arguments = {Argument::buffer(0),
                                           Argument::buffer(1),
                                           Argument::buffer(2),
                                           Argument::buffer(3),
                                           Argument::buffer(4),
                                           numberOf(memory.pitch),
                                           numberOf(memory.count),
                                           Argument::buffer(5),
                                           Argument::buffer(6),
                                           Argument::buffer(7),
                                           Argument::buffer(8),
                                           Argument::buffer(9),
                                           Argument::buffer(10),
                                           numberOf(team.steps.size()),
                                           numberOf(team.arenaElems),
                                           numberOf(team.slotCount),
                                           numberOf(plan.greatestExponent),
                                           numberOf(plan.orders),
                                           numberOf(run.lanes)};
  Launch launch;
  launch.gridBlocks = kLaneBlocks;
  launch.blockThreads = 3 * kCasesOfTeam;
  launch.sharedBytes =
      isShared ? static_cast<uint32_t>(team.arenaElems * run.lanes * sizeof(T)) : 0;
  return compiled.run(teamEntry(isShared, run.lanes), launch, buffers, arguments);
}

template struct LaneMemory<float>;
template struct LaneMemory<double>;
template Report runLanes<float>(Program &, const LaneKernel &, LaneMemory<float> &);
template Report runLanes<double>(Program &, const LaneKernel &, LaneMemory<double> &);
template Report runTeams<float>(Program &, TeamProgram &, const LinearPlan &, LaneMemory<float> &,
                                const TeamRun &);
template Report runTeams<double>(Program &, TeamProgram &, const LinearPlan &, LaneMemory<double> &,
                                 const TeamRun &);

} // namespace mpf::simt
