#include "runtime/cases/table_engine.h"

#include "dsl/source/text_error.h"
#include "dsl/support/check.h"
#include "runtime/api/mpf.h"
#include "runtime/cases/case_parts.h"
#include "runtime/cases/case_scale.h"
#include "runtime/cases/full_layout.h"
#include "runtime/cases/missing_values.h"

#include <algorithm>
#include <memory>
#include <optional>

namespace mpf {

namespace {

/// Cases that one run answers. Large enough that a run's fixed costs are small, small enough that
/// messages of usual networks stay in the caches of a CPU.
constexpr uint32_t kMostRunCases = 1024;
/// Fewer gain nothing over one after the other, and each number that is tried takes a plan; unless
/// the list has no more.
constexpr uint32_t kLeastRunCases = 16;

/// Where the entries of a table over the case variable come from.
struct EntrySource {
  std::string factor;
  uint64_t sizeElems = 0;        ///< of one case
  size_t column = 0;             ///< of the codes, if `isCode`; else the first of the weights
  bool isCode = false;           ///< one state, or all of them
  std::optional<uint32_t> state; ///< set: the same in all cases
};

/// `model`, with one listed case that observes nothing: the axis builder sees what may vary.
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
      : query_(query), layout_(fullLayout(model, query)) {
    for (CaseTable &table : layout_.tables)
      table.isInteger = isIntegerType(elementTypeOf(query, tables.options.type));
    cases_ = std::move(tables.cases);
    runCases_ = tables.runCases;
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
    for (uint32_t first = 0; first < block.count; first += runCases_) {
      const uint32_t count = std::min(runCases_, block.count - first);
      exponents_.assign(count, 0);
      for (const EntrySource &source : sources_)
        session_->bind(source.factor, entriesOf(source, block, first));
      const Result result = run(block, first, count);
      device_ = result.device;
      deviceFault_ = result.deviceFault;
      parts_->take(result, count, answers, first);
      scaleUp(exponents_, answers, first);
    }
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
  /// What a case alone can do wrong is said of the cases of the run.
  Result run(const CaseBlock &block, uint32_t first, uint32_t count) {
    try {
      return session_->run();
    } catch (const Error &error) {
      if (error.kind() != ErrorKind::Overflow && error.kind() != ErrorKind::BadInput)
        throw;
      const uint64_t from = block.first + first + 1;
      if (count == 1)
        fail(error.kind(), "case {}: {}", from, error.what());
      fail(error.kind(), "one of cases {} to {}: {}", from, from + count - 1, error.what());
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

  /// Those that the query needs: a pass may have done away with them.
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

  /// For one run from case `first` of the block on. Places behind the last case allow everything.
  /// What cases give is scaled, which `exponents_` undo.
  std::vector<double> entriesOf(const EntrySource &source, const CaseBlock &block, uint32_t first) {
    std::vector<double> entries(size_t{runCases_} * source.sizeElems, 1);
    const uint32_t count = std::min(runCases_, block.count - first);
    for (uint32_t i = 0; i < count; ++i) {
      const std::span<double> row =
          std::span(entries).subspan(size_t{i} * source.sizeElems, source.sizeElems);
      if (source.isCode || source.state) {
        const uint32_t state = source.isCode ? block.code(source.column, first + i) : *source.state;
        if (state == source.sizeElems) // not observed
          continue;
        std::ranges::fill(row, 0);
        row[state] = 1;
        continue;
      }
      for (uint64_t e = 0; e < source.sizeElems; ++e)
        row[e] = block.weights()[(source.column + e) * block.pitch() + first + i];
      if (!layout_.tables.front().isInteger)
        exponents_[i] += scaleDown(row);
    }
    return entries;
  }

  const Query query_;
  CaseAnswers layout_;
  CaseModel cases_;
  uint32_t runCases_ = 0;
  std::optional<CaseParts> parts_;
  std::vector<EntrySource> sources_;
  std::optional<Program> program_;
  std::optional<Session> session_;
  std::vector<int32_t> exponents_;   ///< by case of the run at hand
  std::string device_, deviceFault_; ///< of the last run
};

uint32_t mostRunCases(const CaseProblem &problem) {
  const uint64_t rows = problem.rows.value_or(kMostRunCases);
  return static_cast<uint32_t>(std::clamp<uint64_t>(rows, 1, kMostRunCases));
}

} // namespace

CaseTables compileCaseTables(const CaseProblem &problem) {
  const Model listed = withColumns(problem.model, problem.schema);
  CaseTables tables;
  for (tables.runCases = mostRunCases(problem);; tables.runCases /= 4) {
    tables.options = forRunsOf(problem, tables.runCases);
    // There are many runs: what does not depend on the cases is computed in the first.
    tables.options.keep = tables.options.keep.value_or(KeptMessages::Constant);
    tables.cases = withCaseAxis(listed, problem.query, tables.runCases, problem.schema.tables);
    try {
      tables.bundle =
          problem.settings.compileQuery(tables.cases.model, tables.cases.query, tables.options);
      return tables;
    } catch (const Error &error) {
      if (error.kind() != ErrorKind::MemoryBound || tables.runCases / 4 < kLeastRunCases)
        throw;
    }
  }
}

PlannedEngine planTableEngine(const CaseProblem &problem) {
  const auto tables = std::make_shared<CaseTables>(compileCaseTables(problem));
  const uint32_t runCases = tables->runCases;
  PlannedEngine planned;
  planned.speed = speedOfRuns(problem, tables->bundle, runCases);
  planned.facts = [tables, problem, runCases, speed = planned.speed] {
    EngineFacts facts = factsOfRuns(problem, CaseEngineKind::Tables, tables->bundle, speed);
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
