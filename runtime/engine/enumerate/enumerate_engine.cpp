#include "runtime/engine/enumerate/enumerate_engine.h"

#include "codegen/lanes/observable_model.h"
#include "codegen/simplify/state/query_support.h"
#include "dsl/model/conditional_rows.h"
#include "dsl/model/noisy_table.h"
#include "dsl/model/query_model.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"
#include "dsl/support/numbers/row_sums.h"
#include "runtime/engine/enumerate/wide_real.h"
#include "runtime/engine/full_layout.h"
#include "runtime/engine/missing_values.h"
#include "runtime/result/case_entries.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mpf {

namespace {

/// Returns the observable model without conditions and auxiliary variables.
ObservableModel enumeratedModel(const Model &model, const Query &query, const CaseSchema &schema) {
  const std::optional<MultipliedOut> whole = multipliedOut(model, query);
  ObservableModel made =
      observableModel(whole ? whole->model : model, whole ? whole->query : query, schema);
  if (hasOwnModel(made.query)) {
    made.model = modelOf(made.model, made.query);
    made.query = queryInOwnModel(made.query);
  }
  return made;
}

/// Returns the variables that the answer depends on, ascending, without those that all cases
/// observe. A short form depends on all variables.
std::vector<VarId> enumeratedVariables(const Model &model, const Query &query) {
  std::vector<char> isIn(model.variables.size(), !traitsOf(query.kind).isExpression());
  const auto add = [&isIn](const std::vector<VarId> &scope) {
    for (const VarId id : scope)
      isIn[id.index()] = 1;
  };
  for (const FactorId id : queryFactors(model, query))
    add(model.factor(id).scope);
  add(query.output);
  for (const QueryReduction &reduction : query.reductions)
    add(reduction.variables);
  std::vector<VarId> variables;
  for (size_t v = 0; v < isIn.size(); ++v)
    if (isIn[v] != 0 && !model.evidence.observes(VarId{v}))
      variables.push_back(VarId{v});
  return variables;
}

/// The entries of a factor in the case in work.
struct Entries {
  const Factor *factor = nullptr;
  std::optional<size_t> firstWeight; ///< set: they are weights of the case
  std::vector<WideReal> numbers;
};

class Enumeration {
public:
  explicit Enumeration(const CaseProblem &problem)
      : observable_(enumeratedModel(problem.model, problem.query, problem.schema)),
        schema_(problem.schema), semiring_(checkedSemiring(observable_.model, observable_.query)),
        type_(elementTypeOf(problem.query, problem.settings.compile.type)),
        rest_(valueOfOtherStates(problem.query)), layout_(fullLayout(problem.model, problem.query)),
        variables_(enumeratedVariables(observable_.model, observable_.query)) {
    const Model &model = observable_.model;
    for (CaseTable &table : layout_.tables) {
      table.isInteger = isIntegerType(type_);
      table.logValues = semiring_.reduce == Reduce::LogSum && !table.normalised;
      std::vector<VarId> scope;
      for (const std::string &name : table.variables)
        scope.emplace_back(static_cast<size_t>(
            std::ranges::find(model.variables, name, &Variable::name) - model.variables.begin()));
      scopes_.push_back(std::move(scope));
    }
    for (const FactorId id : queryFactors(model, observable_.query)) {
      if (std::ranges::find(observable_.indicators, id) != observable_.indicators.end())
        continue; // a case restricts the states instead
      entries_.push_back({&model.factor(id), {}, {}});
      if (const std::optional<size_t> weights = observable_.weightTableOf(id))
        entries_.back().firstWeight = schema_.firstWeight(*weights);
      else if (const TableValues &values = storedValues(model.factor(id)))
        set(entries_.back(), *values);
      else if (!problem.settings.mayBind)
        failWithoutValues(model.factor(id).name, problem.query.name);
    }
  }

  const CaseAnswers &layout() const { return layout_; }
  static std::string deviceName() { return "cpu"; }
  static std::string deviceFault() { return ""; }

  void bind(std::string_view name, std::span<const double> values) {
    const auto entries = std::ranges::find_if(entries_, [name](const Entries &one) {
      return one.factor->name == name && isInput(*one.factor) && !one.firstWeight;
    });
    if (entries == entries_.end())
      fail(ErrorKind::Usage, "factor {} is no input of query {}", name, observable_.query.name);
    if (const uint64_t elems = scopeElems(observable_.model, entries->factor->scope);
        elems != values.size())
      fail(ErrorKind::Usage, "factor {} has {} values, {} were given", name, elems, values.size());
    requireRows(name, {values, values.size()}, rowElemsOf(observable_.model, *entries->factor));
    set(*entries, values);
  }

  void answer(const CaseBlock &block, CaseAnswers &answers) {
    makeRoom(layout_, block.count, answers);
    for (uint32_t i = 0; i < block.count; ++i)
      if (!std::ranges::binary_search(block.skipped, i))
        answerCase(block, i, answers);
  }

private:
  /// One entry of a table: the terms so far, reduced. None: there are no terms.
  using Cell = std::optional<WideReal>;

  WideReal numberOf(const ScaledNumber &entry) const {
    return semiring_.reduce == Reduce::LogSum
               ? WideReal::exp(static_cast<long double>(entry.nearest()))
               : WideReal::of(entry.mantissa, entry.exponent);
  }

  void set(Entries &entries, std::span<const double> stored) const {
    const StoredValues values(stored, scopeElems(observable_.model, entries.factor->scope));
    entries.numbers.clear();
    for (uint64_t e = 0; e < values.size(); ++e)
      entries.numbers.push_back(numberOf(values.at(e)));
  }

  size_t placeIn(const std::vector<VarId> &scope, const std::vector<uint32_t> &states) const {
    size_t place = 0;
    for (const VarId id : scope)
      place = place * observable_.model.variable(id).extent + states[id.index()];
    return place;
  }

  /// Returns the product of all factors; a sum if the query adds its factors.
  WideReal termAt(const std::vector<uint32_t> &states) const {
    const bool adds = addsPlainValues(semiring_);
    WideReal term = WideReal::of(adds ? 0 : 1);
    for (const Entries &entries : entries_) {
      const WideReal &entry = entries.numbers[placeIn(entries.factor->scope, states)];
      term = adds ? term + entry : term * entry;
    }
    return term;
  }

  /// Whether a term replaces the best one so far.
  bool isBetter(const WideReal &term, const WideReal &best) const {
    return semiring_.reduce == Reduce::Min ? term < best : best < term;
  }

  void reduce(const WideReal &term, Cell &cell) const {
    if (cell && addsTerms(semiring_))
      cell = *cell + term;
    else if (!cell || isBetter(term, *cell))
      cell = term;
  }

  void answerCase(const CaseBlock &block, uint32_t i, CaseAnswers &answers) {
    for (Entries &entries : entries_) {
      if (entries.firstWeight) {
        entries.numbers.clear();
        for (uint64_t e = 0; e < scopeElems(observable_.model, entries.factor->scope); ++e)
          entries.numbers.push_back(numberOf(block.weight(*entries.firstWeight + e, i)));
      } else if (entries.numbers.empty()) { // it may be bound, and was not
        failWithoutValues(entries.factor->name, observable_.query.name);
      }
    }
    std::vector<uint32_t> states =
        statesByVariable(observable_.model.evidence, observable_.model.variables.size());
    std::vector<VarId> free = variables_;
    bool isPossible = true; // the query's conditions may exclude what a case observes
    for (size_t c = 0; c < schema_.observed.size(); ++c) {
      const auto &[id, extent] = schema_.observed[c];
      const uint32_t code = block.code(c, i);
      if (code == extent)
        continue;
      isPossible &= observable_.model.evidence.state(id).value_or(code) == code;
      states[id.index()] = code;
      std::erase(free, id);
    }
    std::vector<std::vector<Cell>> cells;
    for (const CaseTable &table : layout_.tables)
      cells.emplace_back(table.size);
    Cell best;
    std::vector<uint32_t> bestStates = states;
    do {
      const WideReal term = termAt(states);
      for (size_t t = 0; t < cells.size(); ++t)
        reduce(term, cells[t][placeIn(scopes_[t], states)]);
      if (!best || isBetter(term, *best)) {
        best = term;
        bestStates = states;
      }
    } while (isPossible && advance(free, states));
    if (!isPossible)
      for (std::vector<Cell> &table : cells)
        std::ranges::fill(table, std::nullopt);
    for (size_t t = 0; t < cells.size(); ++t)
      store(cells[t], answers.tables[t], i, answers.refused);
    uint32_t *const decoded = answers.states.data() + size_t{i} * answers.variables;
    if (isPossible && isAssignment(*best))
      std::copy_n(bestStates.begin(), answers.variables, decoded);
    else
      std::fill_n(decoded, answers.variables, CaseAnswers::kNoState);
  }

  /// Moves to the next joint state of the variables; false: it was the last.
  bool advance(const std::vector<VarId> &variables, std::vector<uint32_t> &states) const {
    for (size_t v = variables.size(); v-- > 0;) {
      uint32_t &state = states[variables[v].index()];
      if (++state < observable_.model.variable(variables[v]).extent)
        return true;
      state = 0;
    }
    return false;
  }

  /// Whether a best term is that of an assignment, not the zero of the semiring.
  bool isAssignment(const WideReal &best) const {
    const bool isWhole = isIntegerType(type_);
    return semiring_.reduce == Reduce::Min || (isWhole && addsPlainValues(semiring_)) ||
           best.mantissa != (addsPlainValues(semiring_) ? -kInfinity : 0);
  }

  void store(const std::vector<Cell> &cells, CaseTable &table, uint32_t i,
             std::vector<RefusedCase> &refused) const {
    WideReal sum;
    for (const Cell &cell : cells)
      sum = sum + cell.value_or(WideReal());
    std::vector<ScaledNumber> numbers(cells.size(),
                                      ScaledNumber::fromValue(table.normalised ? 0 : rest_));
    for (size_t e = 0; e < cells.size(); ++e)
      if (cells[e] && (!table.normalised || sum.mantissa != 0))
        numbers[e] = (table.normalised ? *cells[e] / sum : *cells[e]).scaled();
    if (!table.isInteger)
      return storeNumbers(std::move(numbers), table, i);
    for (size_t e = 0; e < cells.size(); ++e) {
      const WideReal count = cells[e].value_or(WideReal());
      if (count.exponent > kMostCountBits)
        return refused.push_back(
            {i, ErrorKind::Overflow,
             fmt::format("a count has more than {} bits, the most that is enumerated",
                         kMostCountBits)});
      table.entries[size_t{i} * table.size + e] = numbers[e].nearest();
      table.integerEntries[size_t{i} * table.size + e] =
          static_cast<Uint128>(std::ldexp(count.mantissa, static_cast<int>(count.exponent)));
    }
  }

  static constexpr int64_t kMostCountBits = 64; ///< of an exact WideReal

  const ObservableModel observable_;
  const CaseSchema schema_;
  const Semiring semiring_;
  const ElementType type_;
  const double rest_; ///< entries at states that are not observed
  CaseAnswers layout_;
  const std::vector<VarId> variables_;
  std::vector<std::vector<VarId>> scopes_; ///< by table of the layout
  std::vector<Entries> entries_;           ///< by factor of the query, without indicators
};

/// The work and memory of an enumeration. All counts saturate.
struct EnumerationWork {
  uint64_t states = 0;  ///< joint states of one case
  uint64_t terms = 0;   ///< entries that one case multiplies
  uint64_t lookUps = 0; ///< states of variables that one case reads to find these entries
  uint64_t entries = 0; ///< entries of all factors, and of the answers to one case
};

EnumerationWork workOf(const CaseProblem &problem) {
  EnumerationWork work;
  work.states = enumeratedStates(problem.model, problem.query);
  uint64_t factors = 0, perState = 1;
  const auto add = [&](uint64_t elems, size_t variables) {
    work.entries = saturatingAdd(work.entries, elems);
    perState = saturatingAdd(perState, 1 + variables);
  };
  for (const FactorId id : queryFactors(problem.model, problem.query)) {
    const std::vector<VarId> &scope = problem.model.factor(id).scope;
    add(scopeElems(problem.model, scope), scope.size());
    ++factors;
  }
  for (const CaseTable &table : fullLayout(problem.model, problem.query).tables)
    add(table.size, table.variables.size());
  work.terms = saturatingMul(work.states, std::max<uint64_t>(factors, 1));
  work.lookUps = saturatingMul(work.states, perState);
  return work;
}

void requireBounded(const Query &query, uint64_t count, uint64_t most, std::string_view what) {
  if (count > most)
    fail(ErrorKind::Unsupported,
         "query {}: {} {}, an enumeration takes {} at most; leave out --engine enumerate, or ask "
         "with a smaller model or fewer cases",
         query.name, count == UINT64_MAX ? "2^64 or more" : fmt::format("{}", count), what, most);
}

} // namespace

std::string_view enumerationRefusal(const CaseSettings &settings) {
  return settings.compile.devices.requiresGpu() ? "enumeration runs on the CPU alone" : "";
}

uint64_t enumeratedStates(const Model &model, const Query &query) {
  const ObservableModel asked = enumeratedModel(model, query, {});
  return scopeElems(asked.model, enumeratedVariables(asked.model, asked.query));
}

PlannedEngine planEnumeration(const CaseProblem &problem) {
  checkedSemiring(problem.model, problem.query);
  checkElementType(problem.model, problem.query,
                   elementTypeOf(problem.query, problem.settings.compile.type));
  const EnumerationWork work = workOf(problem);
  requireBounded(problem.query, work.states, kMostEnumerated, "joint states for each case");
  requireBounded(problem.query, work.entries, kMostEnumeratedEntries,
                 "entries of factors and answers");
  requireBounded(problem.query, work.lookUps, kMostLookUps, "look-ups for each case");
  requireBounded(problem.query, saturatingMul(work.lookUps, problem.rows.value_or(1)),
                 kMostListLookUps, "look-ups for the list of cases");
  PlannedEngine planned;
  planned.speed.rowsPerSecond =
      1e6 / (problem.speed.engines.runs.traceUsPerEntry * static_cast<double>(work.terms));
  planned.facts = [speed = planned.speed, form = AnswerForm::Enumerate] {
    EngineFacts facts;
    facts.name = traitsOf(form).name;
    facts.device = "cpu";
    facts.atOnce = "one joint state after the other";
    facts.rowsPerSecond = speed.rowsPerSecond;
    return std::vector{facts};
  };
  planned.open = [problem] { return callsOf(std::make_shared<Enumeration>(problem), 1); };
  return planned;
}

} // namespace mpf
