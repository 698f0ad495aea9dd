// mpfc emit: prints the text form of one stage.
#include "codegen/bundle/print_bundle.h"
#include "codegen/machine/machine_text.h"
#include "codegen/pipeline/pipeline.h"
#include "codegen/plan/initial/initial_program.h"
#include "codegen/plan/order/print_graph.h"
#include "codegen/plan/order/print_order.h"
#include "codegen/plan/program/print_program.h"
#include "codegen/simplify/print_simplified.h"
#include "dsl/model/print/print_model.h"
#include "dsl/support/check.h"
#include "dsl/support/files/file_input.h"
#include "dsl/syntax/parser.h"
#include "dsl/syntax/print_ast.h"
#include "runtime/execute/compiled/print_compiled.h"
#include "tools/mpfc/commands.h"
#include "tools/mpfc/compile/compile_queries.h"
#include "tools/mpfc/compile/load_model.h"
#include "tools/mpfc/compile/plan_queries.h"
#include "tools/mpfc/emit_answer.h"
#include "tools/mpfc/emit_case_tables.h"
#include "tools/mpfc/emit_kernels.h"
#include "tools/mpfc/emit_lanes.h"
#include "tools/mpfc/emit_schedule.h"
#include "tools/mpfc/process/output.h"

namespace mpf::driver {

namespace {

/// Prints the AST of the file alone: includes are not read, and names are not checked.
std::string emitAst(const Options &options) {
  if (!mayBeMpf(options.input))
    fail(ErrorKind::Usage, "--emit ast is for .mpf sources, not {}", options.input);
  Diagnostics diagnostics;
  const std::unique_ptr<ast::File> file = parseFile(loadText(options.input), diagnostics);
  printDiagnostics(diagnostics);
  return printAst(*file);
}

std::string emitBundles(CompileInput input, const Options &options, Stage stage,
                        Refusals &refusals) {
  if (const auto *program = std::get_if<StoredProgram>(&input);
      program && answersLists(*program) && (stage == Stage::Bundle || stage == Stage::CompiledCpp))
    return stage == Stage::Bundle ? printProgramOf(*program) : compiledStripsText(*program);
  const std::vector<Bundle> bundles = compileQueries(std::move(input), options, refusals);
  if (stage == Stage::Schedule)
    return emitSchedules(bundles, options);
  if (stage == Stage::Answer)
    return emitAnswers(bundles, options);
  std::string text;
  for (const Bundle &bundle : bundles)
    text += stage == Stage::Bundle ? printBundle(bundle) : printCompiledTexts(bundle);
  return text;
}

std::string emitSimplified(const Model &model, const Options &options, Refusals &refusals) {
  std::string text;
  simplifyEach(model, options, refusals,
               [&text](const Simplified &simple) { text += printSimplified(simple); });
  return text;
}

/// Throws Error(Usage) unless there is one query: a file of another program holds one order, or the
/// graph of one.
void checkSingle(size_t queries, Stage stage) {
  if (queries != 1)
    fail(ErrorKind::Usage,
         "--emit {} writes one {}, there are {} queries: choose with --task or --query",
         stageInfo(stage).name, stage == Stage::Graph ? "graph" : "order", queries);
}

/// Prints the graph without searching for an order.
std::string emitGraph(const Model &model, const Options &options, Refusals &refusals) {
  std::vector<Simplified> queries;
  simplifyEach(model, options, refusals,
               [&queries](Simplified simple) { queries.push_back(std::move(simple)); });
  checkSingle(refusals.queries(), Stage::Graph);
  if (queries.empty())
    return "";
  Diagnostics diagnostics;
  const Simplified &simple = queries.front();
  const Pipeline pipeline(pipelineOptionsFor(options, elementTypeOf(simple.query, options.type)));
  const TableProgram program = pipeline.initial(simple, diagnostics);
  printDiagnostics(diagnostics);
  return printGraph(program);
}

std::string emitOrder(const std::vector<TypedProgram> &programs, Stage stage,
                      const Refusals &refusals) {
  checkSingle(refusals.queries(), stage);
  if (programs.empty())
    return "";
  return stage == Stage::Order ? printOrder(programs.front().program)
                               : printDecomposition(programs.front().program);
}

std::string emitPrograms(const std::vector<TypedProgram> &programs, Stage stage,
                         const Refusals &refusals) {
  if (stage == Stage::Order || stage == Stage::Decomposition)
    return emitOrder(programs, stage, refusals);
  std::string text;
  for (const auto &[program, type] : programs)
    text += printProgram(program, type);
  return text;
}

std::string emitOfModel(Model model, const Options &options, Stage stage, Refusals &refusals) {
  if (stage == Stage::Lanes || (hasManyCases(model) && isOfLanes(stage)))
    return emitLaneStages(model, options, stage, refusals);
  if (stage == Stage::Model)
    return printModel(model);
  if (stage == Stage::Simplified)
    return emitSimplified(model, options, refusals);
  if (stage == Stage::Graph)
    return emitGraph(model, options, refusals);
  if (stage < Stage::Kernel)
    return emitPrograms(programsFor(model, options, refusals), stage, refusals);
  return stage < Stage::Bundle ? emitKernels(model, options, stage, refusals)
                               : emitBundles(std::move(model), options, stage, refusals);
}

/// Whether a text of the stage may begin with comments. Texts that other programs or compilers read
/// may not: orders, graphs, decompositions, JSON, kernels.
bool mayBeginWithComments(Stage stage) {
  return stage == Stage::Model || stage == Stage::Simplified || stage == Stage::Plan ||
         stage == Stage::Schedule || stage == Stage::Answer;
}

/// Whether `model` is shown as the table program that answers its list. That is so if --engine asks
/// for it. Without --engine it depends on the engine that a run takes, for stages that differ
/// between engines.
bool showsTables(const Model &model, const Options &options, Stage stage) {
  if (options.caseEngine || stage == Stage::Lanes || !isOfLanes(stage) || !hasManyCases(model))
    return options.caseEngine == AnswerForm::Tables;
  return isAnsweredByTables(model, options, stage);
}

std::string emitCaseTables(const Model &model, const Options &options, Stage stage,
                           Refusals &refusals) {
  if (stage == Stage::Lanes)
    fail(ErrorKind::Usage,
         "--emit=lanes is how cases are answered in lanes: --engine tables has none");
  CaseTablesInput made = caseTablesOf(model, options, stage);
  std::string text = mayBeginWithComments(stage) ? made.heading : std::string();
  return text + emitOfModel(std::move(made.model), made.options, stage, refusals);
}

std::shared_ptr<const Machine> readMachineFile(const std::string &path) {
  Diagnostics diagnostics;
  std::optional<Machine> machine = readMachine(loadText(path), diagnostics);
  printDiagnostics(diagnostics);
  return std::make_shared<const Machine>(std::move(machine.value()));
}

std::string emitStage(const Options &given, Stage stage, Refusals &refusals) {
  const Options options = stage == Stage::Schedule ? scheduleOptions(given) : given;
  if (stage == Stage::Ast)
    return emitAst(options);
  if (options.caseEngine && stage != Stage::Answer)
    if (const FormTraits &form = traitsOf(*options.caseEngine); !form.hidesStages.empty())
      fail(ErrorKind::Usage, "--engine {}: {}", form.option, form.hidesStages);
  if (options.startStage <= Stage::Model) {
    Model model = loadModelOrFail(options, stage == Stage::Model ? nullptr : &refusals);
    if (options.givenMachine && hasManyCases(model))
      fail(ErrorKind::Usage, "--machine is for single results: {} has a list of cases",
           options.input);
    if (stage == Stage::Answer && hasManyCases(model))
      return emitListAnswers(model, options, refusals);
    return showsTables(model, options, stage)
               ? emitCaseTables(model, options, stage, refusals)
               : emitOfModel(std::move(model), options, stage, refusals);
  }
  if (options.startStage == Stage::Lanes)
    return emitLaneStages(options, stage, refusals);
  if (stage >= Stage::Bundle)
    return emitBundles(loadInput(options), options, stage, refusals);
  if (stage >= Stage::Kernel)
    return emitKernels(options, stage, refusals);
  return emitPrograms(programsFor(options, refusals), stage, refusals);
}

} // namespace

int runEmit(const Options &given) {
  Options options = given;
  if (!options.machineFile.empty())
    options.givenMachine = readMachineFile(options.machineFile);
  Refusals refusals;
  const std::string text = emitStage(options, *options.emitStage, refusals);
  if (refusals.all().size() < refusals.queries())
    writeResult(options, text);
  return refusals.exitCode();
}

} // namespace mpf::driver
