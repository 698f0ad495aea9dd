#include "tools/mpfc/stages.h"

#include "dsl/support/error.h"

namespace mpf::driver {

namespace {

constexpr StageInfo kStages[] = {
    {Stage::Ast, "ast", true, false},           {Stage::Model, "model", true, true},
    {Stage::Plan, "plan", true, true},          {Stage::Kernel, "kernel", true, true},
    {Stage::Cuda, "cuda", true, false},         {Stage::Cpp, "cpp", true, false},
    {Stage::Ptx, "ptx", true, false},           {Stage::Bundle, "bundle", true, true},
    {Stage::Schedule, "schedule", true, false},
};

std::string namesOf(bool StageInfo::*usable, std::string_view separator) {
  std::string names;
  for (const StageInfo &info : kStages) {
    if (info.*usable) {
      names += names.empty() ? "" : separator;
      names += info.name;
    }
  }
  return names;
}

Stage stageNamed(const std::string &name, bool StageInfo::*usable, std::string_view option) {
  for (const StageInfo &info : kStages) {
    if (info.*usable && info.name == name)
      return info.stage;
  }
  fail(ErrorKind::Usage, "{} {}: no such stage; there are {}", option, name, namesOf(usable, ", "));
}

} // namespace

Stage emittedStage(const std::string &name) {
  return stageNamed(name, &StageInfo::printed, "--emit");
}
Stage startingStage(const std::string &name) { return stageNamed(name, &StageInfo::read, "-x"); }

std::string emittedStageNames() { return namesOf(&StageInfo::printed, "|"); }
std::string startingStageNames() { return namesOf(&StageInfo::read, "|"); }

} // namespace mpf::driver
