#include "runtime/engine/single/single_engine.h"

#include "codegen/lanes/observable_model.h"
#include "codegen/simplify/state/query_support.h"
#include "dsl/support/check.h"
#include "runtime/api/session.h"
#include "runtime/engine/full_layout.h"
#include "runtime/engine/missing_values.h"
#include "runtime/engine/plan_case.h"
#include "runtime/engine/take_result.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace mpf {

namespace {

/// Cases of a block: few, so that rows are written and progress is seen while the next ones are
/// computed.
constexpr uint32_t kBlockCases = 16;
/// Most programs that are kept for sets of observed variables.
constexpr size_t kMostPrograms = 16;

/// The question of one program: a case in which tables are bound.
struct BoundCase {
  ObservableModel observable;
  CaseSchema schema; ///< columns that are bound
  CompileSettings options;
};

/// Returns the program for cases that observe any columns: indicators exclude the other states.
BoundCase byIndicators(const Model &model, const CaseSchema &schema, const Query &query,
                       const CompileSettings &options) {
  return {observableModel(model, query, schema), schema, options};
}

/// Returns the program for cases that observe exactly the variables of `observed`, in any states.
BoundCase bySet(const Model &model, const CaseSchema &schema, const Query &query,
                const CompileSettings &options, const std::vector<Observation> &observed) {
  Model observing = model;
  observing.evidence.add(observed);
  CaseSchema soft;
  soft.likelihoods = schema.likelihoods;
  soft.tables = schema.tables;
  BoundCase bound{observableModel(observing, query, soft), soft, options};
  if (bound.options.simplify != Simplification::Off)
    bound.options.simplify = Simplification::Tables; // the states will change
  return bound;
}

bool goesByIndicators(const ObservableModel &observable, const CompileSettings &options) {
  return storesZero(checkedSemiring(observable.model, observable.query),
                    isIntegerType(elementTypeOf(observable.query, options.type)));
}

/// Returns settings with which messages that a case does not change are kept for the next.
CompileSettings forOneAfterTheOther(const CaseProblem &problem) {
  CompileSettings options = forRunsOf(problem, 1);
  options.keep = options.keep.value_or(KeptMessages::All);
  return options;
}

Bundle compileBound(const BoundCase &bound, const CaseSettings &settings) {
  return compileCase(settings, bound.observable.model, bound.observable.query, bound.options);
}

/// A session of a compiled query with the values that are bound in it.
class BoundSession {
public:
  /// A table that cases set.
  struct Column {
    std::string factor;
    uint64_t sizeElems = 0;
    size_t place = 0;           ///< column of the codes, or first row of the weights
    bool isCode = false;        ///< an indicator
    std::vector<double> before; ///< the bound values; empty: none
  };

  BoundSession(const BoundCase &bound, const CaseSettings &settings)
      : BoundSession(bound, compileBound(bound, settings), settings) {}

  /// `bundle` must be the result of compileBound for `bound`.
  BoundSession(const BoundCase &bound, Bundle bundle, const CaseSettings &settings)
      : semiring_(checkedSemiring(bound.observable.model, bound.observable.query)),
        program_(std::make_shared<const Bundle>(std::move(bundle))),
        session_(program_, sessionOptionsFor(settings, bound.options)) {
    const ObservableModel &observable = bound.observable;
    const CaseSchema &schema = bound.schema;
    for (size_t c = 0; c < observable.indicators.size(); ++c)
      addColumn(observable, observable.indicators[c], {{}, schema.observed[c].extent, c, true, {}});
    for (size_t v = 0; v < observable.likelihoods.size(); ++v)
      addColumn(observable, observable.likelihoods[v],
                {{}, schema.likelihoods[v].extent, schema.firstWeight(v), false, {}});
    for (size_t t = 0; t < observable.tables.size(); ++t)
      for (const FactorId factor : observable.tables[t].factors)
        addColumn(observable, factor,
                  {{},
                   schema.tables[t].sizeElems,
                   schema.firstWeight(schema.likelihoods.size() + t),
                   false,
                   {}});
    for (const BundleInput &input : program_.bundle().inputs)
      if (!input.table && !settings.mayBind &&
          std::ranges::find(columns_, input.factor, &Column::factor) == columns_.end())
        failWithoutValues(input.factor, observable.query.name);
  }

  /// Binds the tables that differ from the case before.
  void load(const CaseBlock &block, uint32_t i) {
    for (Column &column : columns_) {
      if (!column.isCode && block.far.contains(i)) {
        session_.bind(column.factor, numbersOf(column, block, i));
        column.before.clear();
        continue;
      }
      std::vector<double> values = valuesOf(column, block, i);
      if (values == column.before)
        continue;
      session_.bind(column.factor, values);
      column.before = std::move(values);
    }
  }

  void bind(std::string_view factor, std::span<const double> values) {
    session_.bind(factor, values);
  }
  /// Returns the device of the last run.
  std::string deviceName() const { return device_; }
  Result run() {
    Result result = session_.run();
    device_ = result.device;
    return result;
  }

  Session &session() { return session_; }
  const Bundle &bundle() const { return program_.bundle(); }

private:
  /// Adds a column unless the query does not use its variable, or its table was simplified away.
  void addColumn(const ObservableModel &observable, FactorId factor, Column column) {
    if (!factor.valid())
      return;
    column.factor = observable.model.factor(factor).name;
    const std::vector<BundleInput> &inputs = program_.bundle().inputs;
    if (std::ranges::find(inputs, column.factor, &BundleInput::factor) != inputs.end())
      columns_.push_back(std::move(column));
  }

  static std::vector<ScaledNumber> numbersOf(const Column &column, const CaseBlock &block,
                                             uint32_t i) {
    std::vector<ScaledNumber> numbers;
    for (uint64_t e = 0; e < column.sizeElems; ++e)
      numbers.push_back(block.weight(column.place + e, i));
    return numbers;
  }

  /// Returns the entries of a column. An indicator has the neutral elements of the semiring.
  std::vector<double> valuesOf(const Column &column, const CaseBlock &block, uint32_t i) const {
    const double one = combineIdentity(semiring_.combine);
    std::vector<double> values(column.sizeElems, one);
    if (!column.isCode) {
      for (uint64_t e = 0; e < column.sizeElems; ++e)
        values[e] = block.weights()[(column.place + e) * block.pitch() + i];
      return values;
    }
    const uint32_t code = block.code(column.place, i);
    if (code == column.sizeElems)
      return values;
    std::ranges::fill(values, reduceIdentity(semiring_));
    values[code] = one;
    return values;
  }

  const Semiring semiring_;
  const Program program_;
  Session session_;
  std::string device_;
  std::vector<Column> columns_;
};

/// Returns the program with indicators if the query allows them, otherwise the one for cases that
/// observe nothing.
BoundCase usualCase(const CaseProblem &problem, const CompileSettings &options) {
  BoundCase indicated = byIndicators(problem.model, problem.schema, problem.query, options);
  if (goesByIndicators(indicated.observable, options))
    return indicated;
  return bySet(problem.model, problem.schema, problem.query, options, {});
}

class SingleEngine {
public:
  /// `usual` must be from usualCase, and `bundle` compiled from it.
  SingleEngine(const Model &model, const CaseSchema &schema, const Query &query,
               const CompileSettings &options, const CaseSettings &settings, const BoundCase &usual,
               Bundle bundle)
      : model_(model), schema_(schema), query_(query), options_(options), settings_(settings),
        isInteger_(isIntegerType(elementTypeOf(query, options.type))),
        byIndicators_(goesByIndicators(usual.observable, options)),
        layout_(fullLayout(model, query)),
        usual_(std::make_unique<BoundSession>(usual, std::move(bundle), settings)) {
    for (CaseTable &table : layout_.tables) {
      table.isInteger = isInteger_;
      table.logValues = usual_->bundle().logInputs && !table.normalised;
    }
  }

  const CaseAnswers &layout() const { return layout_; }
  std::string deviceName() const { return usual_->deviceName(); }
  const std::string &deviceFault() const { return deviceFault_; }

  void bind(std::string_view factor, std::span<const double> values) {
    usual_->bind(factor, values); // throws before anything is changed
    bySet_.clear();
    given_[std::string(factor)].assign(values.begin(), values.end());
  }

  void answer(const CaseBlock &block, CaseAnswers &answers) {
    makeRoom(layout_, block.count, answers);
    auto skipped = block.skipped.begin();
    for (uint32_t i = 0; i < block.count; ++i) {
      if (skipped != block.skipped.end() && *skipped == i) {
        ++skipped;
        continue;
      }
      try {
        const Result result = run(block, i);
        if (!result.deviceFault.empty())
          deviceFault_ = result.deviceFault;
        takeResult({model_, schema_, query_}, block, i, result, answers);
      } catch (const Error &error) {
        if (error.kind() != ErrorKind::Overflow && error.kind() != ErrorKind::BadInput)
          throw;
        answers.refused.push_back({i, error.kind(), error.what()});
      }
    }
  }

private:
  Result run(const CaseBlock &block, uint32_t i) {
    if (byIndicators_) {
      usual_->load(block, i);
      return usual_->run();
    }
    std::vector<Observation> observed;
    for (size_t c = 0; c < schema_.observed.size(); ++c)
      if (const uint32_t code = block.code(c, i); code != schema_.observed[c].extent)
        observed.push_back({schema_.observed[c].variable, code});
    BoundSession &bound = sessionObserving(observed);
    bound.load(block, i);
    for (const Observation &one : observed)
      bound.session().observe(model_.variable(one.variable).name, one.state);
    return bound.run();
  }

  /// Returns a program in which cases set likelihoods, tables, and states of exactly the variables
  /// of `observed`.
  std::unique_ptr<BoundSession> observing(const std::vector<Observation> &observed) const {
    auto bound = std::make_unique<BoundSession>(bySet(model_, schema_, query_, options_, observed),
                                                settings_);
    for (const auto &[factor, values] : given_)
      bound->bind(factor, values);
    return bound;
  }

  BoundSession &sessionObserving(const std::vector<Observation> &observed) {
    if (observed.empty())
      return *usual_;
    std::vector<VarId> set;
    for (const Observation &one : observed)
      set.push_back(one.variable);
    const auto found = bySet_.find(set);
    if (found != bySet_.end())
      return *found->second;
    if (bySet_.size() == kMostPrograms)
      bySet_.clear();
    return *bySet_.emplace(std::move(set), observing(observed)).first->second;
  }

  const Model model_;
  const CaseSchema schema_;
  const Query query_;
  const CompileSettings options_;
  const CaseSettings settings_;
  const bool isInteger_, byIndicators_;
  CaseAnswers layout_;
  std::string deviceFault_;             ///< the last fault of any run
  std::unique_ptr<BoundSession> usual_; ///< session of usualCase
  std::map<std::vector<VarId>, std::unique_ptr<BoundSession>> bySet_;
  std::map<std::string, std::vector<double>, std::less<>> given_; ///< by factor: bound values
};

} // namespace

PlannedEngine planSingleEngine(const CaseProblem &problem) {
  const CompileSettings options = forOneAfterTheOther(problem);
  const auto usual = std::make_shared<const BoundCase>(usualCase(problem, options));
  const auto bundle = std::make_shared<Bundle>(compileBound(*usual, problem.settings));
  PlannedEngine planned;
  planned.speed = speedOfRuns(problem, *bundle, 1);
  planned.leftShare = leftShare(problem, bundle->operations.size());
  planned.facts = [bundle, problem, speed = planned.speed] {
    EngineFacts facts = factsOfRuns(problem, AnswerForm::SingleRuns, *bundle, speed);
    facts.atOnce = "one run after the other";
    facts.blockCases = kBlockCases;
    return std::vector{facts};
  };
  planned.open = [usual, bundle, options, problem] {
    const auto engine =
        std::make_shared<SingleEngine>(problem.model, problem.schema, problem.query, options,
                                       problem.settings, *usual, std::move(*bundle));
    return callsOf(engine, kBlockCases);
  };
  return planned;
}

} // namespace mpf
