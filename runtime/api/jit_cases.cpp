// Cases for host programs: from a model to a lane program, and sessions that answer blocks.
#include "codegen/pipeline/pipeline.h"
#include "dsl/support/system/memory_error.h"
#include "runtime/api/cases.h"
#include "runtime/api/check_session.h"
#include "runtime/api/jit_lanes.h"
#include "runtime/api/jit_memory.h"
#include "runtime/api/jit_model.h"
#include "runtime/execute/lanes/case_runner.h"
#include "runtime/execute/lanes/check_block.h"

#include <algorithm>

namespace mpf {

namespace {

std::vector<CaseVariable> variablesNamed(const Model &model,
                                         const std::vector<std::string> &names) {
  std::vector<CaseVariable> list;
  for (const std::string &name : names) {
    const auto at = std::find_if(model.variables.begin(), model.variables.end(),
                                 [&name](const Variable &v) { return v.name == name; });
    if (at == model.variables.end())
      fail(ErrorKind::Usage, "there is no variable {}", name);
    const VarId id{static_cast<size_t>(at - model.variables.begin())};
    if (model.evidence.observes(id))
      fail(ErrorKind::Usage, "variable {} is observed in the model's evidence too", name);
    if (std::any_of(list.begin(), list.end(),
                    [id](const CaseVariable &v) { return v.variable == id; }))
      fail(ErrorKind::Usage, "variable {} is named twice", name);
    list.push_back({id, at->extent});
  }
  return list;
}

CaseSchema schemaOf(const Model &model, const CaseOptions &cases) {
  CaseSchema schema;
  schema.observed = variablesNamed(model, cases.observable);
  schema.likelihoods = variablesNamed(model, cases.likelihoods);
  if (!cases.observable.empty())
    return schema;
  for (size_t i = 0; i < model.variables.size(); ++i)
    if (!model.evidence.observes(VarId{i}))
      schema.observed.push_back({VarId{i}, model.variables[i].extent});
  return schema;
}

CaseProgram compileCases(const Model &model, const CaseOptions &cases,
                         const CompileOptions &options) {
  const Query &query = selectQuery(model, options.query);
  CompileSettings settings = settingsOf(options);
  completeForMachine(settings, runFacts(model, {&query, 1}, 0));
  PipelineOptions pipeline = pipelineOptionsFor(settings, elementTypeOf(query, settings.type));
  Diagnostics warnings; // performance warnings are for the command line
  LanePlan plan =
      Pipeline(std::move(pipeline)).planLanes(model, query, schemaOf(model, cases), warnings);
  return CaseProgram(std::make_shared<const LaneProgram>(std::move(plan.program)));
}

} // namespace

CaseProgram compileCasesText(std::string_view text, const CaseOptions &cases,
                             const CompileOptions &options) {
  return namingMemory([] { return "compiling a text"; },
                      [&] { return compileCases(readTextFor(text, options), cases, options); });
}

CaseProgram compileCasesFile(const std::string &path, const CaseOptions &cases,
                             const CompileOptions &options) {
  return namingMemory([&] { return "compiling " + path; },
                      [&] { return compileCases(readFileFor(path, options), cases, options); });
}

CaseProgram::CaseProgram(std::shared_ptr<const LaneProgram> program)
    : program_(std::move(program)) {}

const CaseSchema &CaseProgram::schema() const { return program_->schema; }

size_t CaseProgram::columnOf(std::string_view variable) const {
  const std::vector<CaseVariable> &observed = program_->schema.observed;
  for (size_t column = 0; column < observed.size(); ++column)
    if (program_->variables[observed[column].variable.index()].name == variable)
      return column;
  fail(ErrorKind::Usage, "cases of query {} do not observe a variable {}", program_->name,
       variable);
}

CaseBlock CaseProgram::block(uint32_t cases) const {
  CaseBlock block(schema(), cases);
  for (size_t column = 0; column < schema().observed.size(); ++column)
    for (uint32_t i = 0; i < cases; ++i)
      block.setCode(column, i, schema().observed[column].extent);
  std::fill(block.weights().begin(), block.weights().end(), 1.0);
  return block;
}

void CaseProgram::observe(CaseBlock &block, uint32_t i, std::string_view variable,
                          uint32_t state) const {
  const size_t column = columnOf(variable);
  if (const uint32_t extent = schema().observed[column].extent; state >= extent)
    fail(ErrorKind::Usage, "variable {} has {} states, there is no state {}", variable, extent,
         state);
  if (i >= block.pitch())
    fail(ErrorKind::Usage, "the block has room for {} cases, there is no case {}", block.pitch(),
         i);
  block.setCode(column, i, state);
}

void CaseProgram::observe(CaseBlock &block, uint32_t i, std::string_view variable,
                          std::string_view label) const {
  const VarId id = schema().observed[columnOf(variable)].variable;
  const std::vector<std::string> &labels = program_->variables[id.index()].labels;
  for (uint32_t state = 0; state < labels.size(); ++state)
    if (labels[state] == label)
      return observe(block, i, variable, state);
  fail(ErrorKind::Usage, "variable {} has no state {}", variable, label);
}

struct CaseSession::State {
  State(const CaseProgram &compiled, const SessionOptions &options)
      : program(compiled), runner(program.program(), laneRunnerOptions(options)) {}

  CaseProgram program;
  CaseRunner runner;
};

CaseSession::CaseSession(const CaseProgram &program, const SessionOptions &options) {
  checkSession(options);
  state_ = namingMemory([&] { return "a session of query " + program.program().name; },
                        [&] { return std::make_unique<State>(program, options); });
}
CaseSession::~CaseSession() = default;
CaseSession::CaseSession(CaseSession &&) noexcept = default;
CaseSession &CaseSession::operator=(CaseSession &&) noexcept = default;

void CaseSession::bind(std::string_view factor, std::span<const double> values) {
  state_->runner.bind(factor, values);
}

void CaseSession::run(const CaseBlock &block, CaseAnswers &answers) {
  namingMemory([&] { return "running query " + state_->program.program().name; },
               [&] {
                 checkBlock(state_->program.program(), block);
                 state_->runner.run(block, answers);
               });
}

std::string CaseSession::deviceName() { return state_->runner.deviceName(); }

const CaseCounts &CaseSession::counts() const { return state_->runner.counts(); }

} // namespace mpf
