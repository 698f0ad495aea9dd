#include "runtime/engine/tables/table_engine.h"

#include "codegen/plan/program/planning_budget.h"
#include "dsl/model/noisy_table.h"
#include "dsl/source/text_error.h"
#include "dsl/support/check.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/api/session.h"
#include "runtime/engine/full_layout.h"
#include "runtime/engine/missing_values.h"
#include "runtime/engine/plan_case.h"
#include "runtime/engine/tables/case_groups.h"
#include "runtime/engine/tables/case_parts.h"
#include "runtime/engine/tables/case_scale.h"
#include "runtime/predict/predict_cpu.h"

#include <algorithm>
#include <memory>
#include <optional>

namespace mpf {

namespace {

/// Most cases of a run: enough for small fixed costs, few enough that messages of usual networks
/// stay in the caches of a CPU.
constexpr uint32_t kMostRunCases = 1024;
/// Least cases of a run, unless the list has fewer. Smaller runs gain nothing over single ones, and
/// each number that is tried takes a plan.
constexpr uint32_t kLeastRunCases = 16;
/// Least cases of a run whose memory is used again in the next (withFewerPages).
constexpr uint32_t kLeastCheapCases = 4;

/// The source of a table's entries over the case variable.
struct EntrySource {
  std::string factor;
  uint64_t sizeElems = 0;        ///< entries of one case
  size_t column = 0;             ///< column of codes if `isCode`; else the first column of weights
  bool isCode = false;           ///< one state, or all of them
  std::optional<uint32_t> state; ///< set: the same in all cases
};

/// Returns `model` with one listed case that observes nothing, so that the axis builder sees which
/// variables may vary.
Model withColumns(const Model &model, const CaseSchema &schema) {
  std::vector<VarId> columns;
  for (const std::vector<CaseVariable> *set : {&schema.observed, &schema.likelihoods})
    for (const CaseVariable &column : *set)
      columns.push_back(column.variable);
  Model listed = model;
  listed.evidence =
      listedEvidence(columns, std::vector<uint32_t>(columns.size(), Evidence::kNotObserved), 1);
  listed.evidence.add(model.evidence.observations());
  listed.evidence.likelihoods = model.evidence.likelihoods;
  return listed;
}

class TableEngine {
public:
  TableEngine(const Model &model, const CaseSchema &schema, const Query &query, CaseTables tables,
              const CaseSettings &settings)
      : query_(query), layout_(fullLayout(model, query)),
        type_(elementTypeOf(query, tables.options.type)) {
    for (CaseTable &table : layout_.tables)
      table.isInteger = isIntegerType(type_);
    cases_ = std::move(tables.cases);
    runCases_ = tables.runCases;
    hasOneScale_ = isIntegerType(type_) || tables.options.forcedLog;
    parts_.emplace(model, layout_, cases_.model.variable(cases_.axis).name, runCases_);
    program_.emplace(std::make_shared<const Bundle>(std::move(tables.bundle)));
    for (const CaseIndicator &indicator : cases_.indicators)
      sources_.push_back(sourceOf(indicator, model, schema));
    addTables(schema);
    if (!settings.mayBind)
      requireValues();
    session_.emplace(*program_, sessionOptionsFor(settings, tables.options));
  }

  const CaseAnswers &layout() const { return layout_; }

  void answer(const CaseBlock &block, CaseAnswers &answers) {
    makeRoom(layout_, block.count, answers);
    std::vector<uint32_t> places;
    for (uint32_t i = 0; i < block.count; ++i)
      if (!std::ranges::binary_search(block.skipped, i))
        places.push_back(i);
    for (size_t first = 0; first < places.size(); first += runCases_)
      answerRun(
          block,
          std::span(places).subspan(first, std::min<size_t>(runCases_, places.size() - first)),
          answers);
  }

  uint32_t runCases() const { return runCases_; }
  std::string deviceName() const { return device_; }
  const std::string &deviceFault() const { return deviceFault_; }

  void bind(std::string_view factor, std::span<const double> values) {
    if (std::ranges::find(sources_, factor, &EntrySource::factor) != sources_.end())
      fail(ErrorKind::Usage, "factor {} is what cases set", factor);
    session_->bind(factor, values);
  }

private:
  /// Answers cases in one run. If it is refused, halves the cases until the refused ones are found,
  /// and reports the error for these only. Cases that lie far apart are answered again in separate
  /// runs, so that only improbable ones leave linear arithmetic.
  void answerRun(const CaseBlock &block, std::span<const uint32_t> places, CaseAnswers &answers) {
    if (std::optional<RefusedCase> refused = answerTogether(block, places, answers)) {
      if (places.size() == 1) {
        answers.refused.push_back(std::move(*refused));
        return;
      }
      answerRun(block, places.first(places.size() / 2), answers);
      answerRun(block, places.subspan(places.size() / 2), answers);
      return;
    }
    if (hasOneScale_)
      return;
    const std::vector<std::vector<uint32_t>> groups =
        groupsByMagnitude(magnitudes_, places, ordersOfARun(type_));
    if (groups.size() > 1)
      for (const std::vector<uint32_t> &group : groups)
        answerTogether(block, group, answers); // refuses none: the run of all groups did not
  }

  /// Answers cases in one run. If the run refuses some of them, returns the error for the first
  /// place; their answers are then unchanged.
  std::optional<RefusedCase>
  answerTogether(const CaseBlock &block, std::span<const uint32_t> places, CaseAnswers &answers) {
    try {
      exponents_.assign(places.size(), 0);
      for (const EntrySource &source : sources_)
        if (!source.isCode && !source.state && hasFar(block, places))
          session_->bind(source.factor, numbersOf(source, block, places));
        else
          session_->bind(source.factor, entriesOf(source, block, places));
      const Result result = session_->run();
      device_ = result.device;
      deviceFault_ = result.deviceFault;
      parts_->take(result, places, answers);
      if (!hasOneScale_)
        magnitudes_ = parts_->magnitudes(result, places.size());
      scaleUp(exponents_, places, answers);
      return std::nullopt;
    } catch (const Error &error) {
      if (error.kind() != ErrorKind::Overflow && error.kind() != ErrorKind::BadInput)
        throw;
      return RefusedCase{places.front(), error.kind(), error.what()};
    }
  }

  void requireValues() const {
    for (const BundleInput &input : program_->bundle().inputs)
      if (!input.table &&
          std::ranges::find(sources_, input.factor, &EntrySource::factor) == sources_.end())
        failWithoutValues(input.factor, query_.name);
  }

  EntrySource sourceOf(const CaseIndicator &indicator, const Model &model,
                       const CaseSchema &schema) const {
    EntrySource source;
    source.factor = cases_.model.factor(indicator.factor).name;
    source.sizeElems = model.variable(indicator.variable).extent;
    const auto observed =
        std::ranges::find(schema.observed, indicator.variable, &CaseVariable::variable);
    if (observed != schema.observed.end()) {
      source.isCode = true;
      source.column = static_cast<size_t>(observed - schema.observed.begin());
      return source;
    }
    for (size_t v = 0; v < schema.likelihoods.size(); ++v)
      if (schema.likelihoods[v].variable == indicator.variable) {
        source.column = schema.firstWeight(v);
        return source;
      }
    source.state = model.evidence.state(indicator.variable);
    MPF_CHECK(source.state.has_value(), "no case sets variable {}", indicator.variable);
    return source;
  }

  /// Adds the tables that the query needs; a pass may have removed others.
  void addTables(const CaseSchema &schema) {
    const std::vector<BundleInput> &inputs = program_->bundle().inputs;
    for (size_t t = 0; t < schema.tables.size(); ++t)
      for (const FactorId factor : schema.tables[t].factors) {
        EntrySource source;
        source.factor = cases_.model.factor(factor).name;
        source.sizeElems = schema.tables[t].sizeElems;
        source.column = schema.firstWeight(schema.likelihoods.size() + t);
        if (std::ranges::find(inputs, source.factor, &BundleInput::factor) != inputs.end())
          sources_.push_back(std::move(source));
      }
  }

  /// Returns the entries for one run of the cases at `places`. Entries that cases give are scaled,
  /// and `exponents_` record it. The last case is repeated to fill the run, because its answer is
  /// sure to exist.
  std::vector<double> entriesOf(const EntrySource &source, const CaseBlock &block,
                                std::span<const uint32_t> places) {
    std::vector<double> entries(size_t{runCases_} * source.sizeElems);
    for (uint32_t i = 0; i < runCases_; ++i) {
      const std::span<double> row =
          std::span(entries).subspan(size_t{i} * source.sizeElems, source.sizeElems);
      if (i < places.size()) {
        const int32_t exponent = fillRow(source, block, places[i], row);
        exponents_[i] += exponent;
      } else {
        std::ranges::copy(
            std::span(entries).subspan(size_t{i - 1} * source.sizeElems, source.sizeElems),
            row.begin());
      }
    }
    return entries;
  }

  static bool hasFar(const CaseBlock &block, std::span<const uint32_t> places) {
    return std::ranges::any_of(block.far, [&](const auto &far) {
      return std::ranges::find(places, far.first) != places.end();
    });
  }

  /// Returns the entries like entriesOf, for weights that doubles may not hold.
  std::vector<ScaledNumber> numbersOf(const EntrySource &source, const CaseBlock &block,
                                      std::span<const uint32_t> places) {
    std::vector<ScaledNumber> numbers;
    for (uint32_t i = 0; i < runCases_; ++i) {
      const uint32_t place = places[std::min<size_t>(i, places.size() - 1)];
      int64_t greatest = INT64_MIN;
      const size_t first = numbers.size();
      for (uint64_t e = 0; e < source.sizeElems; ++e) {
        numbers.push_back(block.weight(source.column + e, place));
        if (numbers.back().mantissa != 0)
          greatest = std::max(greatest, numbers.back().exponent);
      }
      if (greatest == INT64_MIN || layout_.tables.front().isInteger)
        continue;
      for (size_t e = first; e < numbers.size(); ++e)
        numbers[e].exponent -= numbers[e].mantissa == 0 ? 0 : greatest;
      if (i < places.size())
        exponents_[i] += static_cast<int32_t>(greatest);
    }
    return numbers;
  }

  /// Writes the row of one case; returns the exponent by which it was scaled down.
  int32_t fillRow(const EntrySource &source, const CaseBlock &block, uint32_t place,
                  std::span<double> row) const {
    if (source.isCode || source.state) {
      const uint32_t state = source.isCode ? block.code(source.column, place) : *source.state;
      const bool isObserved = state != source.sizeElems;
      std::ranges::fill(row, isObserved ? 0 : 1);
      if (isObserved)
        row[state] = 1;
      return 0;
    }
    for (uint64_t e = 0; e < source.sizeElems; ++e)
      row[e] = block.weights()[(source.column + e) * block.pitch() + place];
    return layout_.tables.front().isInteger ? 0 : scaleDown(row);
  }

  const Query query_;
  CaseAnswers layout_;
  const ElementType type_;
  CaseModel cases_;
  uint32_t runCases_ = 0;
  std::optional<CaseParts> parts_;
  std::vector<EntrySource> sources_;
  std::optional<Program> program_;
  std::optional<Session> session_;
  bool hasOneScale_ = false;        ///< whole numbers or logarithms: one scale holds all magnitudes
  std::vector<int32_t> exponents_;  ///< by case of the run in work
  std::vector<int64_t> magnitudes_; ///< by case of the last run (CaseParts::magnitudes)
  std::string device_, deviceFault_; ///< of the last run
};

uint32_t mostRunCases(const CaseProblem &problem) {
  const uint64_t rows = problem.rows.value_or(kMostRunCases);
  return static_cast<uint32_t>(std::clamp<uint64_t>(rows, 1, kMostRunCases));
}

/// Returns the tables of `listed`, a model with the columns of cases, for runs of `runCases` cases,
/// or of fewer if the memory bound requires it.
CaseTables compileRuns(const CaseProblem &problem, const Model &listed, const Query &query,
                       uint32_t runCases) {
  const CaseLoad load = loadOf(problem);
  CaseTables tables;
  for (tables.runCases = runCases;; tables.runCases /= 4) {
    tables.options = forRunsOf(problem, tables.runCases);
    // Messages that do not depend on cases are kept for later runs. If one run answers all cases,
    // no later one reads them.
    const bool runsOnce = tables.options.purpose == Purpose::OneRun && load.isKnown() &&
                          load.cases() <= tables.runCases;
    tables.options.keep =
        tables.options.keep.value_or(runsOnce ? KeptMessages::None : KeptMessages::Constant);
    tables.cases = withCaseAxis(listed, query, tables.runCases, problem.schema.tables);
    try {
      tables.bundle =
          compileCase(problem.settings, tables.cases.model, tables.cases.query, tables.options);
      return tables;
    } catch (const Error &error) {
      if (error.kind() != ErrorKind::MemoryBound || tables.runCases / 4 < kLeastRunCases)
        throw;
    }
  }
}

/// Returns tables for runs of fewer cases where that saves time: the pages of their memory, which
/// later runs use again, have a price at their first use. Nothing if it does not pay.
std::optional<CaseTables> withFewerPages(const CaseProblem &problem, const Model &listed,
                                         const Query &query, const CaseTables &known) {
  constexpr double kCheapShare = 0.1; // of the time of the runs
  const CaseLoad load = loadOf(problem);
  if (problem.gpu || !runsHere(problem.settings.compile) || !load.isKnown())
    return std::nullopt;
  const double touchUs =
      firstTouchUs(known.bundle, problem.speed.cpu, threadCount(problem.settings.session.threads));
  const double planningUs =
      programPlanningUs(problem) * leftShare(problem, known.bundle.operations.size());
  if (!questionPays(planningUs, touchUs, 1))
    return std::nullopt; // without a prediction of the runs
  const auto listUs = [&](const CaseTables &tables) {
    return 1e6 * speedOfRuns(problem, tables.bundle, tables.runCases).secondsOf(load.cases());
  };
  const double knownUs = listUs(known), runsUs = std::max(0.0, knownUs - touchUs);
  double leftUs = touchUs;
  uint32_t fewer = known.runCases;
  for (; fewer / 4 >= kLeastCheapCases && leftUs > kCheapShare * runsUs; fewer /= 4)
    leftUs /= 4;
  if (fewer == known.runCases || !questionPays(planningUs, touchUs - leftUs, 1))
    return std::nullopt;
  CaseTables tables = compileRuns(problem, listed, query, fewer);
  if (listUs(tables) >= knownUs)
    return std::nullopt;
  return tables;
}

} // namespace

CaseTables compileCaseTables(const CaseProblem &problem) {
  const std::optional<MultipliedOut> whole = multipliedOut(problem.model, problem.query);
  const Query &query = whole ? whole->query : problem.query;
  const Model listed = withColumns(whole ? whole->model : problem.model, problem.schema);
  CaseTables tables = compileRuns(problem, listed, query, mostRunCases(problem));
  std::optional<CaseTables> fewer = withFewerPages(problem, listed, query, tables);
  return fewer ? std::move(*fewer) : std::move(tables);
}

PlannedEngine planTableEngine(const CaseProblem &problem) {
  const auto tables = std::make_shared<CaseTables>(compileCaseTables(problem));
  const uint32_t runCases = tables->runCases;
  PlannedEngine planned;
  planned.speed = speedOfRuns(problem, tables->bundle, runCases);
  planned.leftShare = leftShare(problem, tables->bundle.operations.size());
  planned.facts = [tables, problem, runCases, speed = planned.speed] {
    EngineFacts facts = factsOfRuns(problem, AnswerForm::Tables, tables->bundle, speed);
    facts.atOnce = "states of a case variable, in one run";
    facts.blockCases = kRunsOfBlock * runCases;
    return std::vector{facts};
  };
  planned.open = [tables, problem, runCases] {
    const auto engine = std::make_shared<TableEngine>(problem.model, problem.schema, problem.query,
                                                      std::move(*tables), problem.settings);
    CaseEngine made = callsOf(engine, kRunsOfBlock * runCases);
    made.leastBlockCases = runCases;
    return made;
  };
  return planned;
}

} // namespace mpf
