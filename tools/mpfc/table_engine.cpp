#include "tools/mpfc/table_engine.h"

#include "codegen/cases/case_axis.h"
#include "dsl/source/text_error.h"
#include "dsl/support/check.h"
#include "runtime/api/mpf.h"
#include "tools/mpfc/compile_queries.h"
#include "tools/mpfc/missing_values.h"
#include "tools/mpfc/session_options.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>

namespace mpf::driver {

namespace {

/// Cases that one run answers. Large enough that a run's fixed costs are small, small enough that
/// messages of usual networks stay in the caches of a CPU.
constexpr uint32_t kMostRunCases = 1024;

/// Binary orders that the entries of a case may span and still be doubles that lose nothing.
constexpr int64_t kMostApart = 1000;

/// Where the entries of an indicator come from.
struct IndicatorSource {
  std::string factor;
  uint32_t extent = 0;
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
  TableEngine(const Model &model, const CaseSchema &schema, const Query &query,
              const Options &options)
      : query_(query) {
    compile(withColumns(model, schema), options);
    for (const CaseIndicator &indicator : cases_.indicators)
      sources_.push_back(sourceOf(indicator, model, schema));
    requireValues();
    session_.emplace(*program_, sessionOptionsFor(options));
  }

  CaseAnswers layout() const {
    CaseTable table;
    table.name = query_.name;
    table.normalised = traitsOf(query_.kind).isQuotient;
    for (const VarId id : query_.output) {
      const Variable &variable = cases_.model.variable(id);
      table.variables.push_back(variable.name);
      table.extents.push_back(variable.extent);
      table.size *= variable.extent;
    }
    CaseAnswers layout;
    layout.tables.push_back(std::move(table));
    return layout;
  }

  void answer(const CaseBlock &block, CaseAnswers &answers) {
    makeRoom(layout(), block.count, answers);
    for (uint32_t first = 0; first < block.count; first += runCases_) {
      for (const IndicatorSource &source : sources_)
        session_->bind(source.factor, entriesOf(source, block, first));
      const Result result = session_->run();
      MPF_CHECK(result.tables.size() == 1, "{} tables for one query", result.tables.size());
      const uint32_t count = std::min(runCases_, block.count - first);
      for (uint32_t i = 0; i < count; ++i)
        take(result.tables.front(), i, answers.tables.front(), first + i);
    }
  }

  uint32_t runCases() const { return runCases_; }

private:
  void compile(const Model &listed, const Options &options) {
    for (runCases_ = kMostRunCases;; runCases_ /= 2) {
      cases_ = withCaseAxis(listed, query_, runCases_);
      try {
        program_.emplace(
            std::make_shared<const Bundle>(compileQuery(cases_.model, cases_.query, options)));
        return;
      } catch (const Error &error) {
        if (error.kind() != ErrorKind::MemoryBound || runCases_ == 1)
          throw;
      }
    }
  }

  void requireValues() const {
    for (const BundleInput &input : program_->bundle().inputs)
      if (!input.table &&
          std::ranges::find(sources_, input.factor, &IndicatorSource::factor) == sources_.end())
        failWithoutValues(input.factor, query_.name);
  }

  IndicatorSource sourceOf(const CaseIndicator &indicator, const Model &model,
                           const CaseSchema &schema) const {
    IndicatorSource source;
    source.factor = cases_.model.factor(indicator.factor).name;
    source.extent = model.variable(indicator.variable).extent;
    const auto observed =
        std::ranges::find(schema.observed, indicator.variable, &CaseVariable::variable);
    if (observed != schema.observed.end()) {
      source.isCode = true;
      source.column = static_cast<size_t>(observed - schema.observed.begin());
      return source;
    }
    for (const CaseVariable &likelihood : schema.likelihoods) {
      if (likelihood.variable == indicator.variable)
        return source;
      source.column += likelihood.extent;
    }
    source.state = model.evidence.state(indicator.variable);
    MPF_CHECK(source.state.has_value(), "no case sets variable {}", indicator.variable);
    return source;
  }

  /// For one run from case `first` of the block on. Places behind the last case allow everything.
  std::vector<double> entriesOf(const IndicatorSource &source, const CaseBlock &block,
                                uint32_t first) const {
    std::vector<double> entries(size_t{runCases_} * source.extent, 1);
    const uint32_t count = std::min(runCases_, block.count - first);
    for (uint32_t i = 0; i < count; ++i) {
      const std::span<double> row =
          std::span(entries).subspan(size_t{i} * source.extent, source.extent);
      if (source.isCode || source.state) {
        const uint32_t state = source.state.value_or(
            source.isCode ? block.code(source.column, first + i) : source.extent);
        if (state == source.extent)
          continue;
        std::ranges::fill(row, 0);
        row[state] = 1;
        continue;
      }
      for (uint32_t state = 0; state < source.extent; ++state)
        row[state] = block.weights()[(source.column + state) * block.pitch() + first + i];
    }
    return entries;
  }

  void take(const ResultTable &table, uint64_t from, CaseTable &answer, uint32_t to) const {
    const size_t size = answer.size;
    double *const entries = answer.entries.data() + size_t{to} * size;
    if (answer.normalised)
      return takeFractions(table, from * size, std::span(entries, size));
    std::vector<ScaledNumber> numbers;
    int64_t least = INT64_MAX, greatest = INT64_MIN; // exponents
    for (size_t i = 0; i < size; ++i) {
      numbers.push_back(table.at(from * size + i));
      if (numbers.back().mantissa == 0)
        continue;
      least = std::min(least, numbers.back().exponent);
      greatest = std::max(greatest, numbers.back().exponent);
    }
    greatest = least > greatest ? 0 : greatest; // all are 0
    const int64_t exponent = std::clamp<int64_t>(greatest, INT32_MIN, INT32_MAX);
    answer.exponents[to] = static_cast<int32_t>(exponent);
    for (size_t i = 0; i < size; ++i)
      entries[i] =
          std::ldexp(numbers[i].mantissa,
                     static_cast<int>(std::max<int64_t>(numbers[i].exponent - exponent, -5000)));
    if (least < greatest - kMostApart)
      answer.farApart[to] = std::move(numbers);
  }

  /// One case's entries as fractions of their sum; all 0 where they are.
  static void takeFractions(const ResultTable &table, size_t first, std::span<double> parts) {
    std::copy_n(table.entries.begin() + static_cast<ptrdiff_t>(first), parts.size(), parts.begin());
    if (table.logEntries) { // relative to the greatest, so that sums neither overflow nor vanish
      const double greatest = *std::ranges::max_element(parts);
      for (double &part : parts)
        part = std::isinf(greatest) ? 0 : std::exp2(part - greatest);
    }
    const double sum = std::accumulate(parts.begin(), parts.end(), 0.0);
    for (double &part : parts)
      part = sum == 0 ? 0 : part / sum;
  }

  const Query query_;
  CaseModel cases_;
  uint32_t runCases_ = 0;
  std::vector<IndicatorSource> sources_;
  std::optional<Program> program_;
  std::optional<Session> session_;
};

} // namespace

CaseEngine makeTableEngine(const Model &model, const CaseSource &cases, const Query &query,
                           const Options &options) {
  const auto engine = std::make_shared<TableEngine>(model, cases.schema(), query, options);
  return {
      engine->layout(),
      [engine](const CaseBlock &block, CaseAnswers &answers) { engine->answer(block, answers); },
      4 * engine->runCases()};
}

} // namespace mpf::driver
