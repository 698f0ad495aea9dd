#include "tools/mpfc/emit_lanes.h"

#include "codegen/bundle/lanes/common_tables.h"
#include "codegen/bundle/lanes/linear_plan.h"
#include "codegen/bundle/lanes/print_lane_program.h"
#include "codegen/bundle/lanes/read_lane_program.h"
#include "codegen/emit/lane_kernel_choice.h"
#include "codegen/emit/lanes/team_source.h"
#include "codegen/emit/lanes_in_text.h"
#include "codegen/kernel/form/target.h"
#include "codegen/plan/order/print_order.h"
#include "dsl/source/line_reader.h"
#include "dsl/source/text_error.h"
#include "dsl/support/check.h"
#include "runtime/engine/lanes/lane_engine.h"
#include "runtime/execute/lanes/strip_memory.h"
#include "tools/mpfc/compile/load_model.h"
#include "tools/mpfc/compile/plan_each_in_lanes.h"
#include "tools/mpfc/device_compiler.h"
#include "tools/mpfc/process/output.h"

#include <limits>
#include <string_view>
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

/// Describes the launch of the kernel in a comment behind it. A comment before it would make the
/// text differ from the one that runs (lanes_in_text.h).
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

/// Returns self-contained text for one program.
std::string kernelText(const LaneProgram &program, const Options &options) {
  requireLaneValues(program);
  const CommonTables common(program);
  const LinearPlan plan = planLinear(program, common, program.type);
  if (!plan.possible)
    fail(ErrorKind::Unsupported,
         "query {}: its tables, or the exponents of its messages, span more binary orders than {} "
         "has: its cases are computed in wide "
         "numbers, which have no kernel",
         program.name, elementTypeName(program.type));
  const LaneLimitsOfDevice limits = laneLimitsOf(targetOrReference(options.target));
  const std::string said = lanesInText(program, limits);
  if (const auto kernel = emitLaneKernel(program, common, plan, program.type, limits))
    return kernel->source + launchText(program, *kernel) + said;
  return teamSource(program.type) +
         fmt::format("// query {} has more terms than one kernel should: table-driven kernels, a "
                     "team of warps for 32 cases\n",
                     commentText(program.name)) +
         said;
}

bool isOfKernels(Stage stage) { return stage == Stage::Cuda || stage == Stage::Ptx; }
bool isOfOrder(Stage stage) { return stage == Stage::Order || stage == Stage::Decomposition; }

/// Returns why lanes have no text of this stage; empty if they have one.
std::string_view whyNone(Stage stage) {
  switch (stage) {
  case Stage::Graph:
    return "the graph is that of the model without its list";
  case Stage::Plan:
    return "the plan is the lane program, --emit=lanes";
  case Stage::Kernel:
    return "the kernel follows from the lane program, --emit=lanes, as --emit=cuda";
  case Stage::Schedule:
    return "each block of cases is one launch";
  default:
    return {};
  }
}

void requireStage(const Model &model, Stage stage) {
  if (const std::string_view why = whyNone(stage); !why.empty())
    failAt(ErrorKind::Unsupported,
           model.sweeps.empty() ? model.listedCases : model.sweeps.front().place,
           "--emit={} is no stage of lists of cases in lanes: {}; --engine tables has it",
           stageInfo(stage).name, why);
}

void requireOne(size_t queries, Stage stage) {
  if (queries != 1)
    fail(ErrorKind::Usage,
         "--emit {} writes one {} of lanes, there are {} queries: choose with --task or "
         "--query",
         stageInfo(stage).name, isOfOrder(stage) ? "order" : "kernel", queries);
}

std::string textOf(const LaneProgram &program, const Options &options, Stage stage) {
  if (stage == Stage::CompiledCpp)
    return compiledStripsText(program);
  if (!isOfKernels(stage))
    return printLaneProgram(program);
  const std::string text = kernelText(program, options);
  return stage == Stage::Cuda
             ? text
             : compileToPtx(program.name, text, targetOrReference(options.target).name, false);
}

} // namespace

bool isOfLanes(Stage stage) { return stage > Stage::Simplified; }

std::string compiledStripsText(const LaneProgram &program) {
  requireLaneValues(program);
  const CommonTables common(program);
  const LinearPlan plan = planLinear(program, common, program.type);
  std::string text(kStripPreamble);
  text += fmt::format("\n// query {}\n", commentText(program.name));
  if (!plan.possible)
    return text + "// no linear arithmetic holds its tables and exponents: nothing is compiled\n";
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

std::string emitLaneStages(const Model &model, const Options &given, Stage stage,
                           Refusals &refusals) {
  if (!hasManyCases(model))
    fail(ErrorKind::Usage, "--emit={} is for lists of cases: {} has none (--cases FILE)",
         stageInfo(stage).name, given.input);
  requireStage(model, stage);
  Options options = given;
  if (isOfKernels(stage))
    options.devices = DeviceRequest::gpu(); // the plan is for a GPU
  const std::vector<LanePlan> plans = planEachInLanes(model, options, refusals);
  if (isOfKernels(stage) || isOfOrder(stage))
    requireOne(refusals.queries(), stage);
  std::string text;
  for (const LanePlan &plan : plans)
    text += stage == Stage::Order           ? printOrder(*plan.tables)
            : stage == Stage::Decomposition ? printDecomposition(*plan.tables)
                                            : textOf(plan.program, options, stage);
  return text;
}

std::string emitLaneStages(const Options &options, Stage stage, Refusals &refusals) {
  if (options.startStage == Stage::Lanes) {
    const std::vector<LaneProgram> programs = readLaneTexts(options.input);
    if (isOfKernels(stage))
      requireOne(programs.size(), stage);
    std::string text;
    for (const LaneProgram &program : programs)
      text += textOf(program, options, stage);
    return text;
  }
  return emitLaneStages(loadModelOrFail(options), options, stage, refusals);
}

std::string compiledStripsText(const StoredProgram &program) {
  return compiledStripsText(std::get<LaneProgram>(program));
}

} // namespace mpf::driver
