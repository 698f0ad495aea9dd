// Sessions of host programs that answer blocks of cases, with the engine that mpfc would take.
#include "codegen/simplify/state/query_support.h"
#include "dsl/formats/cases/tables/case_formulas.h"
#include "dsl/support/cases/copy_cases.h"
#include "dsl/support/check.h"
#include "dsl/support/system/memory_error.h"
#include "dsl/support/system/watched_call.h"
#include "runtime/api/cases.h"
#include "runtime/engine/case_question.h"
#include "runtime/engine/full_layout.h"
#include "runtime/engine/list/choose_engine.h"
#include "runtime/engine/list/engine_rows.h"
#include "runtime/execute/lanes/check_block.h"
#include "runtime/execute/lanes/lane_executor.h"
#include "runtime/session/check_session.h"

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace mpf {

namespace {

CaseSettings settingsFor(const CaseQuestion &question, const SessionOptions &options,
                         const DeviceRequest &devices, bool onDevice) {
  CaseSettings settings;
  settings.session = options;
  settings.session.watch = {}; // its engines work for the calls of this session
  settings.mayBind = true;
  settings.compile = question.settings;
  settings.lanes = question.lanes;
  settings.casesOnDevice = onDevice;
  if (question.isLoaded || onDevice)
    settings.engine = AnswerForm::Lanes;
  settings.compile.devices = devices;
  return settings;
}

struct SessionEngine {
  CaseEngine engine;
  uint64_t casesPerPlan = std::numeric_limits<uint64_t>::max();
  double caseUs = 0;
};

uint64_t casesPerPlan(const CaseProblem &problem, const OpenedEngine &opened) {
  const double cases = std::ceil(engineRowOf(opened.form).planningUs(problem) / opened.caseUs);
  return cases < 1e18 ? static_cast<uint64_t>(cases) : std::numeric_limits<uint64_t>::max();
}

/// Opens the engine. Its answers have all tables that the query asks for, whichever engine it is.
SessionEngine engineFor(const CaseProgram &program, const CaseSettings &settings,
                        const ExpectedCases &expected) {
  const CaseQuestion &question = *program.question();
  const CaseProblem problem{question.model, program.head().schema,
                            question.query, settings,
                            expected.rows,  gpuForCases(settings.compile.devices)};
  OpenedEngine opened = openCaseEngine(problem);
  SessionEngine session{
      withFullLayout(question.model, problem.schema, question.query, std::move(opened.engine))};
  if (!question.isLoaded) {
    session.casesPerPlan = casesPerPlan(problem, opened);
    session.caseUs = opened.caseUs;
  }
  return session;
}

/// Returns the rules of weights, with the names of the model's factors. Weights of likelihoods that
/// are counted must be whole numbers: a host program's are exact, however large.
std::vector<WeightRule> weightRules(const CaseProgram &program) {
  std::vector<WeightRule> rules = weightRulesOf(program.head());
  if (program.question()->isLoaded)
    return rules;
  const auto &[model, query, settings, lanes, isLoaded] = *program.question();
  const CaseSchema &schema = program.head().schema;
  const EntryNeeds needs = entryNeedsOf(model, {&query, 1}, settings.type);
  for (size_t v = 0; v < schema.likelihoods.size(); ++v)
    if (needs.wholeBits(schema.likelihoods[v].variable) != 0)
      rules[v].wholeBits = integerBits(elementTypeOf(query, settings.type));
  for (size_t t = 0; t < schema.tables.size(); ++t)
    rules[schema.likelihoods.size() + t].name =
        "factor " + model.factor(schema.tables[t].factors.front()).name;
  return rules;
}

} // namespace

struct CaseSession::State {
  State(const CaseProgram &compiled, const SessionOptions &options, const ExpectedCases &expected)
      : program(compiled), gpu(checkSession(options).gpuNumber()), rules(weightRules(program)),
        calls(options.watch) {
    SessionEngine opened = engineFor(
        program,
        settingsFor(*program.question(), options, checkSession(options), expected.onDevice),
        expected);
    engine = std::move(opened.engine);
    casesPerPlan = opened.casesPerPlan;
    caseUs = opened.caseUs;
    if (program.formulas() != nullptr)
      formulas.emplace(*program.formulas());
  }

  /// Answers a block. Refused cases are in `answers`.
  void run(const CaseBlock &block, CaseAnswers &answers) {
    checkShape(program.schema(), program.head().name, block);
    if (formulas)
      return runFormulas(block, answers);
    answer(block, answers);
  }

  /// Fails for the first refused case of a block.
  void requireAll(const CaseBlock &block, const CaseAnswers &answers) const {
    if (answers.refused.empty())
      return;
    const RefusedCase &first = answers.refused.front();
    fail(first.kind, "case {}: query {}: {}", block.first + first.place, program.head().name,
         first.why);
  }

  /// Answers the cases of the block together with the tables that follow from their params.
  void runFormulas(const CaseBlock &block, CaseAnswers &answers) {
    if (complete.pitch() != block.pitch())
      complete = CaseBlock(formulas->schema(), block.pitch());
    complete.startAt(block.first);
    copyCases(block, 0, block.count, complete);
    const std::vector<CaseFault> faults = formulas->fill(complete);
    for (const CaseFault &fault : faults)
      complete.clearWeights(fault.place);
    answer(complete, answers);
    for (const CaseFault &fault : faults)
      answers.refused.push_back({fault.place, ErrorKind::Usage, fault.message});
    std::ranges::sort(answers.refused, {}, &RefusedCase::place);
  }

  void answer(const CaseBlock &block, CaseAnswers &answers) {
    checkBlock(program.head(), rules, block);
    engine.answer(block, answers);
    counts.cases += block.count;
  }

  DeviceLanes &onDevice() {
    if (formulas)
      fail(ErrorKind::Unsupported,
           "query {}: cases set params: their tables are computed on the host",
           program.head().name);
    if (gpu != 0)
      fail(ErrorKind::Unsupported,
           "query {}: cases in device memory are answered on the first GPU, and the device is "
           "\"gpu:{}\"; let CUDA_VISIBLE_DEVICES name another",
           program.head().name, gpu);
    DeviceLanes *const lanes = engine.onDevice ? engine.onDevice() : nullptr;
    if (lanes == nullptr)
      fail(ErrorKind::Unsupported,
           "query {}: this session does not answer cases in the memory of a GPU; one that expects "
           "them does (ExpectedCases::onDevice, in C the option \"on-device\")",
           program.head().name);
    return *lanes;
  }

  CaseProgram program;
  const uint32_t gpu; ///< DeviceRequest::gpuNumber
  CaseEngine engine;
  uint64_t casesPerPlan = 0;
  double caseUs = 0;
  std::vector<WeightRule> rules; ///< for the program's schema
  std::optional<CaseFormulas> formulas;
  CaseBlock complete; ///< has the formulas' schema
  CaseCounts counts;
  RepeatedCalls calls;
};

CaseSession::CaseSession(const CaseProgram &program, const SessionOptions &options,
                         const ExpectedCases &expected) {
  state_ = namingMemory([&] { return "a session of query " + program.head().name; },
                        [&] {
                          return watchedResult(options.watch, "opening", [&] {
                            return std::make_unique<State>(program, options, expected);
                          });
                        });
}
CaseSession::~CaseSession() = default;
CaseSession::CaseSession(CaseSession &&) noexcept = default;
CaseSession &CaseSession::operator=(CaseSession &&) noexcept = default;

void CaseSession::bind(std::string_view factor, std::span<const double> values) {
  state_->engine.bind(factor, values);
}

void CaseSession::run(const CaseBlock &block, CaseAnswers &answers) {
  runSkipping(block, answers);
  state_->requireAll(block, answers);
}

void CaseSession::runSkipping(const CaseBlock &block, CaseAnswers &answers) {
  namingMemory(
      [&] { return "running query " + state_->program.head().name; },
      [&] { state_->calls.make("running", block.count, [&] { state_->run(block, answers); }); });
}

DeviceCaseLayout CaseSession::deviceLayout() { return state_->onDevice().layout(); }

void CaseSession::runOnDevice(const DeviceCaseBlock &block, void *stream) {
  state_->onDevice().run(block, stream);
}

void CaseSession::runArrays(const DeviceCaseArrays &arrays, void *stream) {
  state_->onDevice().run(arrays, stream);
}

DeviceCaseCounts CaseSession::deviceCounts() { return state_->onDevice().counts(); }

std::string CaseSession::deviceName() {
  return state_->engine.deviceName ? state_->engine.deviceName() : "";
}

const CaseCounts &CaseSession::counts() const {
  if (state_->engine.counts)
    state_->counts = state_->engine.counts();
  return state_->counts;
}

uint64_t CaseSession::casesPerPlan() const { return state_->casesPerPlan; }

double CaseSession::caseUs() const { return state_->caseUs; }

} // namespace mpf
