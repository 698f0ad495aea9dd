#include "tools/mpfc/options/stages.h"

#include "dsl/support/check.h"

#include <fmt/ranges.h>

namespace mpf::driver {

namespace {

constexpr StageInfo kStages[] = {
    {Stage::Source, "source", "a model source", false, false},
    {Stage::Ast, "ast", "a syntax tree", true, false},
    {Stage::Model, "model", "a printed model", true, true},
    {Stage::Simplified, "simplified", "a simplified model", true, false},
    {Stage::Graph, "tw", "an interaction graph", true, false},
    {Stage::Plan, "plan", "a plan", true, true},
    {Stage::Order, "order", "an elimination order", true, false},
    {Stage::Decomposition, "td", "a tree decomposition", true, false},
    {Stage::Lanes, "lanes", "a lane program", true, true},
    {Stage::Kernel, "kernel", "a kernel plan", true, true},
    {Stage::Cuda, "cuda", "CUDA text", true, true},
    {Stage::Ptx, "ptx", "PTX text", true, false},
    {Stage::Bundle, "bundle", "a bundle", true, true},
    {Stage::CompiledCpp, "compiled", "C++ text for the CPU", true, false},
    {Stage::Schedule, "schedule", "a schedule", true, false},
    {Stage::Answer, "answer", "an answer plan", true, false},
    {Stage::Result, "result", "a result", false, false},
};

std::vector<std::string_view> namesOf(bool StageInfo::*usable) {
  std::vector<std::string_view> names;
  for (const StageInfo &info : kStages)
    if (info.*usable)
      names.push_back(info.name);
  return names;
}

Stage stageNamed(const std::string &name, bool StageInfo::*usable, std::string_view option) {
  for (const StageInfo &info : kStages) {
    if (info.*usable && info.name == name)
      return info.stage;
  }
  fail(ErrorKind::Usage, "{} {}: no such stage; there are {}", option, name,
       fmt::join(namesOf(usable), ", "));
}

} // namespace

const StageInfo &stageInfo(Stage stage) {
  for (const StageInfo &info : kStages)
    if (info.stage == stage)
      return info;
  fail(ErrorKind::Internal, "stage {} has no row", static_cast<int>(stage));
}

Stage emittedStage(const std::string &name) {
  return stageNamed(name, &StageInfo::printed, "--emit");
}
Stage startingStage(const std::string &name) { return stageNamed(name, &StageInfo::read, "-x"); }

std::vector<std::string_view> emittedStageNames() { return namesOf(&StageInfo::printed); }
std::vector<std::string_view> startingStageNames() { return namesOf(&StageInfo::read); }

} // namespace mpf::driver
