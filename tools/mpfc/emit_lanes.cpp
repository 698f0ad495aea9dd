#include "tools/mpfc/emit_lanes.h"

#include "codegen/bundle/lanes/common_tables.h"
#include "codegen/bundle/lanes/linear_plan.h"
#include "codegen/bundle/lanes/print_lane_program.h"
#include "codegen/bundle/lanes/read_lane_program.h"
#include "codegen/emit/lane_kernel_choice.h"
#include "codegen/emit/lanes/team_source.h"
#include "codegen/emit/lanes_in_text.h"
#include "codegen/kernel/form/target.h"
#include "dsl/source/line_reader.h"
#include "dsl/support/error.h"
#include "runtime/cases/lane_engine.h"
#include "runtime/execute/lanes/strip_memory.h"
#include "tools/mpfc/compile/load_model.h"
#include "tools/mpfc/compile/plan_lanes.h"
#include "tools/mpfc/process/output.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace mpf::driver {

namespace {

std::vector<LaneProgram> readLaneTexts(const std::string &path) {
  Diagnostics diagnostics;
  auto read = readLanePrograms(loadText(path), diagnostics);
  printDiagnostics(diagnostics);
  if (!read)
    fail(ErrorKind::Internal, "{}: no lane program and no error reported", path);
  std::vector<LaneProgram> programs;
  for (ReadLaneProgram &one : *read)
    programs.push_back(std::move(one.program));
  return programs;
}

/// What the kernel is launched with, as a comment behind it: before it the text would not be the
/// one that runs (lanes_in_text.h).
std::string launchText(const LaneProgram &program, const LaneKernel &kernel) {
  std::string text = fmt::format("// query {}: {} threads a block, {} bytes of shared memory, {} "
                                 "codes a word:",
                                 commentText(program.name), kernel.blockThreads, kernel.sharedBytes,
                                 kernel.codesPerWord);
  for (const uint32_t column : kernel.codeOrder)
    text +=
        " " + commentText(program.variables[program.schema.observed[column].variable.index()].name);
  return text + "\n";
}

/// Self-contained text for one program.
std::string kernelText(const LaneProgram &program, const Options &options) {
  requireLaneValues(program);
  const CommonTables common(program);
  const LinearPlan plan = planLinear(program, common, program.type);
  if (!plan.possible)
    fail(ErrorKind::Unsupported,
         "query {}: its tables span more binary orders than {} has: its cases are computed in wide "
         "numbers, which have no kernel",
         program.name, elementTypeName(program.type));
  const LaneLimitsOfDevice limits =
      laneLimitsOf(targetNamed(options.target.empty() ? kReferenceTarget : options.target));
  const std::string said = lanesInText(program, limits);
  if (const auto kernel = emitLaneKernel(program, common, plan, program.type, limits))
    return kernel->source + launchText(program, *kernel) + said;
  return teamSource(program.type) +
         fmt::format("// query {} has more terms than one kernel should: table-driven kernels, a "
                     "team of warps for 32 cases\n",
                     commentText(program.name)) +
         said;
}

std::string textOf(const std::vector<LaneProgram> &programs, const Options &options, Stage stage,
                   const Refusals &refusals) {
  std::string text;
  if (stage == Stage::CompiledCpp) {
    for (const LaneProgram &program : programs)
      text += compiledStripsText(program);
    return text;
  }
  if (stage != Stage::Cuda) {
    for (const LaneProgram &program : programs)
      text += printLaneProgram(program);
    return text;
  }
  if (const size_t asked = std::max(refusals.queries(), programs.size()); asked != 1)
    fail(ErrorKind::Usage,
         "--emit cuda writes one kernel of lanes, there are {} queries: choose with --task or "
         "--query-name",
         asked);
  return programs.empty() ? "" : kernelText(programs.front(), options);
}

} // namespace

std::string compiledStripsText(const LaneProgram &program) {
  requireLaneValues(program);
  const CommonTables common(program);
  const LinearPlan plan = planLinear(program, common, program.type);
  std::string text(kStripPreamble);
  text += fmt::format("\n// query {}\n", commentText(program.name));
  if (!plan.possible)
    return text + "// no linear arithmetic holds its tables: nothing is compiled\n";
  const StripMemory memory = planStripMemory(program, plan, program.type, 1, UINT64_MAX);
  const StripChoice choice = stripsToCompile(program, common, plan, program.type, memory,
                                             std::numeric_limits<double>::infinity());
  for (const StripText &one : choice.texts)
    text += '\n' + one.functions;
  text += "\n// steps of the built-in kernels:";
  for (size_t i = 0; i < choice.isWritten.size(); ++i)
    if (choice.isWritten[i] == 0)
      text += fmt::format(" {}", i);
  return text + '\n';
}

std::string emitLanePrograms(const Model &model, const Options &given, Stage stage,
                             Refusals &refusals) {
  if (!hasManyCases(model))
    fail(ErrorKind::Usage, "--emit={} is for lists of cases: {} has none (--cases FILE)",
         stageInfo(stage).name, given.input);
  Options options = given;
  if (stage == Stage::Cuda)
    options.device = "gpu"; // what is planned for
  return textOf(planEachInLanes(model, options, refusals), options, stage, refusals);
}

std::string emitLanePrograms(const Options &options, Stage stage, Refusals &refusals) {
  if (options.startStage == Stage::Lanes)
    return textOf(readLaneTexts(options.input), options, stage, refusals);
  return emitLanePrograms(loadModelOrFail(options), options, stage, refusals);
}

} // namespace mpf::driver
