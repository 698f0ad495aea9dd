// Compiles a model to a program for cases of host programs; its sessions are jit_case_session.cpp.
#include "codegen/bundle/forms/program_file.h"
#include "codegen/pipeline/joint_queries.h"
#include "codegen/simplify/state/query_support.h"
#include "dsl/formats/cases/tables/case_formulas.h"
#include "dsl/model/build/check_algebra.h"
#include "dsl/support/cases/state_label.h"
#include "dsl/support/check.h"
#include "dsl/support/system/memory_error.h"
#include "dsl/support/system/watched_call.h"
#include "runtime/api/cases.h"
#include "runtime/choose/jit_memory.h"
#include "runtime/engine/case_question.h"
#include "runtime/engine/full_layout.h"
#include "runtime/engine/lanes/lane_model.h"
#include "runtime/engine/planned_engine.h"
#include "runtime/engine/refusal.h"
#include "runtime/library/jit_model.h"
#include "runtime/session/verified_program.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <utility>

namespace mpf {

namespace {

/// Returns the place of the item `name` in a list of the model.
template <class Named>
size_t placeNamed(const std::vector<Named> &list, const std::string &name, std::string_view what) {
  const auto at = std::ranges::find(list, name, &Named::name);
  if (at == list.end())
    fail(ErrorKind::Usage, "there is no {} {}", what, name);
  return static_cast<size_t>(at - list.begin());
}

void requireOnce(const std::vector<std::string> &names, const std::string &name,
                 std::string_view what) {
  if (std::ranges::count(names, name) > 1)
    fail(ErrorKind::Usage, "{} {} is named twice", what, name);
}

std::vector<CaseVariable> variablesNamed(const Model &model,
                                         const std::vector<std::string> &names) {
  std::vector<CaseVariable> list;
  for (const std::string &name : names) {
    const VarId id{placeNamed(model.variables, name, "variable")};
    if (model.evidence.observes(id))
      fail(ErrorKind::Usage, "variable {} is observed in the model's evidence too", name);
    requireOnce(names, name, "variable");
    list.push_back({id, model.variable(id).extent});
  }
  return list;
}

std::vector<std::string> paramsNamed(const Model &model, const std::vector<std::string> &names) {
  for (const std::string &name : names) {
    placeNamed(model.params, name, "param");
    requireOnce(names, name, "param");
    if (!std::ranges::find(model.params, name, &Param::name)->varies)
      fail(ErrorKind::Usage, "param {} does not vary: ReadOptions::caseParams names those that do",
           name);
  }
  return names;
}

/// Adds the params that the model sweeps: each case sets them.
void addSwept(const std::vector<SweptParam> &sweeps, std::vector<std::string> &params) {
  for (const SweptParam &sweep : sweeps)
    if (std::ranges::find(params, sweep.name) == params.end())
      params.push_back(sweep.name);
}

std::vector<VaryingTable> tablesNamed(const Model &model, const std::vector<std::string> &names,
                                      const EntryNeeds &needs, ElementType type) {
  std::vector<VaryingTable> tables;
  for (const std::string &name : names) {
    const FactorId id{placeNamed(model.factors, name, "factor")};
    requireOnce(names, name, "factor");
    const Factor &factor = model.factor(id);
    if (factor.formula)
      fail(ErrorKind::Usage, "factor {} follows from params that cases set", name);
    // A host program's whole numbers are exact, however large.
    const int32_t wholeBits = needs.wholeBits(id) == 0 ? 0 : integerBits(type);
    tables.push_back(
        {{id}, scopeElems(model, factor.scope), needs.nonNegative || wholeBits != 0, wholeBits});
  }
  return tables;
}

CaseSchema schemaOf(const Model &model, const CaseOptions &cases, const EntryNeeds &needs,
                    ElementType type) {
  CaseSchema schema;
  schema.observed = variablesNamed(model, cases.observable);
  schema.likelihoods = variablesNamed(model, cases.likelihoods);
  schema.params = paramsNamed(model, cases.params);
  schema.tables = tablesNamed(model, cases.tables, needs, type);
  if (cases.observesNothing && !cases.observable.empty())
    fail(ErrorKind::Usage, "cases observe nothing, and {} variables", cases.observable.size());
  if (cases.observesNothing || !cases.observable.empty())
    return schema;
  for (size_t i = 0; i < ownVariableCount(model); ++i)
    if (!model.evidence.observes(VarId{i}))
      schema.observed.push_back({VarId{i}, model.variables[i].extent});
  return schema;
}

/// Describes variables and columns of a query that lanes do not answer.
ProgramHead describe(const CaseQuestion &question, const CaseSchema &schema,
                     const CaseFormulas *formulas) {
  ProgramHead program;
  program.name = question.query.name;
  program.kind = question.query.kind;
  program.schema = schema;
  if (formulas != nullptr)
    program.formulas = formulas->set();
  setVariables(program, question.model, question.model.evidence.observations());
  setInputs(program, question.model);
  return program;
}

/// Plans the query in lanes. If lanes refuse it, returns a description, and the session chooses the
/// engine (runtime/engine/list/choose_engine.h).
std::shared_ptr<const ProgramHead> planIn(CaseQuestion &question, const CaseSchema &schema,
                                          const CaseFormulas *formulas,
                                          const CompileOptions &options) {
  CompileSettings settings = question.settings;
  completeForMachine(settings, runFacts(question.model, {&question.query, 1}, 0));
  question.lanes.device = laneDeviceOf(settings);
  PipelineOptions pipeline =
      pipelineOptionsFor(settings, elementTypeOf(question.query, settings.type));
  Diagnostics warnings;
  try {
    LanePlan plan =
        Pipeline(std::move(pipeline)).planLanes(question.model, question.query, schema, warnings);
    reportWarnings(warnings, options);
    if (formulas != nullptr)
      plan.program.formulas = formulas->set();
    question.lanes.plan = std::make_shared<const LanePlan>(std::move(plan));
    return {question.lanes.plan, &question.lanes.plan->program};
  } catch (const Error &error) {
    if (!isRefusal(error))
      throw;
    question.lanes.refusal = std::current_exception();
  }
  fullLayout(question.model, question.query); // throws: no engine answers a query without a layout
  return std::make_shared<const ProgramHead>(describe(question, schema, formulas));
}

/// Plans `query` of the model, which sweeps nothing: each case has its values of `sweeps`.
CaseProgram compileCaseQuery(Model model, const std::vector<SweptParam> &sweeps, const Query &query,
                             const CaseOptions &cases, const CompileOptions &options) {
  model.queries = {query};
  auto question = std::make_shared<CaseQuestion>();
  question->query = query;
  question->settings = settingsOf(options);
  question->settings.expectedRuns.reset(); // they follow from the cases that a session expects
  const EntryNeeds needs = entryNeedsOf(model, {&question->query, 1}, question->settings.type);
  CaseSchema schema =
      schemaOf(model, cases, needs, elementTypeOf(question->query, question->settings.type));
  addSwept(sweeps, schema.params);
  std::shared_ptr<const CaseFormulas> formulas;
  if (!schema.params.empty()) {
    model.sweeps = sweeps; // the formulas know the values
    formulas = std::make_shared<const CaseFormulas>(model, schema, needs);
    schema = formulas->schema();
    model.sweeps.clear();
  }
  question->model = std::move(model);
  std::shared_ptr<const ProgramHead> head = planIn(*question, schema, formulas.get(), options);
  return CaseProgram(std::move(head), std::move(formulas), std::move(question));
}

/// Compiles all queries of the model, joined where that pays and lanes answer them together.
std::vector<CaseProgram> compileCaseQueries(Model model, const CaseOptions &cases,
                                            const CompileOptions &options) {
  settleVaryingCosts(model, variablesNamed(model, cases.likelihoods));
  const std::vector<SweptParam> sweeps = std::exchange(model.sweeps, {});
  QueryPolicy policy;
  policy.settings = settingsOf(options);
  std::vector<CaseProgram> programs;
  const std::vector<Query> queries =
      joinedForCases(model, model.queries, policy, CaseLoad::kUnknownCases);
  model.queries.clear(); // each program has its own
  for (const Query &query : queries) {
    programs.push_back(compileCaseQuery(model, sweeps, query, cases, options));
    if (query.joined.empty() || !programs.back().question()->lanes.refusal)
      continue;
    programs.pop_back();
    for (const Query &member : membersOf(query))
      programs.push_back(compileCaseQuery(model, sweeps, member, cases, options));
  }
  return programs;
}

/// Returns the result of `compile` for the model of the network.
template <class Compile>
auto compiledCases(Network network, const CompileOptions &options, const Compile &compile) {
  const std::string name = network.name();
  const auto work = [&] { return compile(modelFor(std::move(network), options)); };
  return namingMemory([&] { return "compiling " + name; },
                      [&] { return watchedResult(options.watch, "compiling", work); });
}

ReadOptions readingFor(const CaseOptions &cases, const ReadOptions &given) {
  ReadOptions reading = given;
  reading.caseParams.insert(reading.caseParams.end(), cases.params.begin(), cases.params.end());
  return reading;
}

} // namespace

CaseProgram compileCases(Network network, const CaseOptions &cases, const CompileOptions &options) {
  return compiledCases(std::move(network), options, [&](Model model) {
    onlyQuery(model);
    return std::move(compileCaseQueries(std::move(model), cases, options).front());
  });
}

std::vector<CaseProgram> compileAllCases(Network network, const CaseOptions &cases,
                                         const CompileOptions &options) {
  return compiledCases(std::move(network), options, [&](Model model) {
    return compileCaseQueries(std::move(model), cases, options);
  });
}

CaseProgram compileCasesText(std::string_view text, const CaseOptions &cases,
                             const CompileOptions &options, const ReadOptions &reading) {
  return compileCases(Network::parse(text, readingFor(cases, reading)), cases, options);
}

CaseProgram compileCasesFile(const std::string &path, const CaseOptions &cases,
                             const CompileOptions &options, const ReadOptions &reading) {
  return compileCases(Network::read(path, readingFor(cases, reading)), cases, options);
}

CaseProgram::CaseProgram(std::shared_ptr<const ProgramHead> head,
                         std::shared_ptr<const CaseFormulas> formulas,
                         std::shared_ptr<const CaseQuestion> question)
    : head_(std::move(head)), formulas_(std::move(formulas)), question_(std::move(question)) {}

const CaseSchema &CaseProgram::schema() const {
  return formulas_ ? formulas_->given() : head_->schema;
}

namespace {

/// Returns the lanes of a question, which a file holds. Throws their refusal.
const LanePlan &lanesOf(const CaseQuestion &question) {
  if (question.lanes.refusal)
    std::rethrow_exception(question.lanes.refusal);
  return *question.lanes.plan;
}

} // namespace

std::string CaseProgram::bytes() const {
  const LanePlan &lanes = lanesOf(*question_);
  return namingMemory([&] { return "the bytes of query " + query(); },
                      [&] { return programBytes(lanes.program); });
}

void CaseProgram::save(const std::string &path) const {
  const LanePlan &lanes = lanesOf(*question_);
  namingMemory([&] { return "saving query " + query(); },
               [&] { writeProgram(path, lanes.program); });
}

namespace {

/// `name`: of the file, for messages.
CaseProgram casesOf(StoredProgram file, std::string_view name) {
  std::shared_ptr<const CaseQuestion> question = loadedQuestion(std::move(file), name);
  const ProgramHead &head = question->lanes.plan->program;
  std::shared_ptr<const CaseFormulas> formulas;
  if (!head.formulas.tables.empty())
    formulas = std::make_shared<const CaseFormulas>(head.formulas, givenSchema(head));
  std::shared_ptr<const ProgramHead> shared(question, &head);
  return CaseProgram(std::move(shared), std::move(formulas), std::move(question));
}

AnyProgram anyOf(StoredProgram file, const std::string &name, const LoadOptions &options) {
  if (answersLists(file))
    return casesOf(std::move(file), name);
  return loadedProgram(programOfForm<Bundle>(std::move(file), name), name, options);
}

} // namespace

CaseProgram loadCases(const std::string &path) {
  return namingMemory([&] { return "reading " + path; },
                      [&] { return casesOf(readProgramFile(path), path); });
}

CaseProgram loadCasesBytes(std::string_view bytes) {
  return namingMemory([] { return "reading the bytes of a program"; },
                      [&] { return casesOf(parseProgram(bytes), "bytes"); });
}

AnyProgram load(const std::string &path, const LoadOptions &options) {
  return namingMemory([&] { return "reading " + path; },
                      [&] { return anyOf(readProgramFile(path), path, options); });
}

AnyProgram loadBytes(std::string_view bytes, const LoadOptions &options) {
  return namingMemory([] { return "reading the bytes of a program"; },
                      [&] { return anyOf(parseProgram(bytes), "bytes", options); });
}

size_t CaseProgram::columnOf(std::string_view variable) const {
  const std::vector<CaseVariable> &observed = head_->schema.observed;
  for (size_t column = 0; column < observed.size(); ++column)
    if (head_->variables[observed[column].variable.index()].name == variable)
      return column;
  fail(ErrorKind::Usage, "cases of query {} do not observe a variable {}", head_->name, variable);
}

const std::string &CaseProgram::query() const { return head_->name; }

std::vector<std::string> CaseProgram::queries() const {
  std::vector<std::string> names;
  for (const Query &query : membersOf(question_->query))
    names.push_back(query.name);
  return names;
}

std::vector<VariableInfo> CaseProgram::variables() const {
  std::vector<VariableInfo> variables;
  for (size_t v = 0; v < head_->variables.size(); ++v)
    if (const HeadVariable &variable = head_->variables[v]; !variable.auxiliary) {
      const bool isObserved = head_->evidence.observes(VarId{v});
      variables.push_back({variable.name, variable.labels, variable.extent, isObserved});
    }
  return variables;
}

CaseBlock CaseProgram::block(uint32_t cases) const {
  CaseBlock block(schema(), cases);
  for (size_t column = 0; column < schema().observed.size(); ++column)
    for (uint32_t i = 0; i < cases; ++i)
      block.setCode(column, i, schema().observed[column].extent);
  std::fill(block.weights().begin(), block.weights().end(), 1.0);
  std::fill(block.params().begin(), block.params().end(), std::numeric_limits<double>::quiet_NaN());
  return block;
}

void CaseProgram::setParam(CaseBlock &block, uint32_t i, std::string_view param,
                           double value) const {
  const auto found = std::ranges::find(schema().params, param);
  if (found == schema().params.end())
    fail(ErrorKind::Usage, "cases of query {} do not set a param {}", head_->name, param);
  if (i >= block.pitch())
    fail(ErrorKind::Usage, "the block has room for {} cases, there is no case {}", block.pitch(),
         i);
  block.params()[static_cast<size_t>(found - schema().params.begin()) * block.pitch() + i] = value;
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
  const auto &known = head_->variables[id.index()];
  observe(block, i, variable, requireState(variable, known.labels, known.extent, label));
}

} // namespace mpf
