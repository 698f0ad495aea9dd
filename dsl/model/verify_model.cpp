#include "dsl/model/verify_model.h"

#include "dsl/model/cut_table.h"
#include "dsl/model/noisy_max.h"
#include "dsl/support/check.h"
#include "dsl/support/expression/check_expression.h"
#include "dsl/support/text/first_repeated.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <unordered_set>

namespace mpf {

namespace {

bool findsOne(const std::vector<QueryReduction> &reductions) {
  return reductions.size() == 1 &&
         (reductions.front().reduce == Reduce::Max || reductions.front().reduce == Reduce::Min);
}

class Verifier {
public:
  explicit Verifier(const Model &model) : model_(model), seen_(model.variables.size(), 0) {}

  std::string run() {
    variables();
    params();
    factors();
    chains();
    evidence();
    cutStates();
    likelihoods();
    cases();
    for (size_t i = 0; i < model_.orders.size() && fault_.empty(); ++i) {
      startSet();
      distinct(model_.orders[i], fmt::format("order {}", i));
    }
    queries();
    return fault_;
  }
  /// The place of the fault. Empty: it is not in a table that was cut.
  const SourcePlace &place() const { return place_; }

private:
  template <class... Args>
  bool require(bool condition, fmt::format_string<Args...> format, Args &&...args) {
    if (!condition && fault_.empty())
      fault_ = fmt::format(format, std::forward<Args>(args)...);
    return fault_.empty();
  }

  template <class Named> void uniqueNames(const std::vector<Named> &list, std::string_view what) {
    const auto nameOf = [&list](size_t i) { return std::string_view(list[i].name); };
    const size_t repeated = firstRepeated(list.size(), nameOf);
    for (size_t i = 0; i < list.size() && i <= repeated; ++i)
      if (list[i].name.empty())
        require(false, "{} {} has no name", what, i);
    if (repeated < list.size())
      require(false, "two {}s are called '{}'", what, list[repeated].name);
  }

  void variables() {
    uniqueNames(model_.variables, "variable");
    for (const Variable &variable : model_.variables) {
      if (!require(variable.extent >= 1, "variable '{}' has no states", variable.name))
        return;
      if (variable.labels.empty())
        continue;
      require(variable.labels.size() == variable.extent, "variable '{}' has {} labels, {} states",
              variable.name, variable.labels.size(), variable.extent);
      uniqueLabels(variable);
    }
  }

  void uniqueLabels(const Variable &variable) {
    constexpr size_t kFew = 8; // comparing each pair is faster than a set
    const std::vector<std::string> &labels = variable.labels;
    const auto isRepeated = [&](const std::string &label) {
      return std::find(labels.data(), &label, label) != &label;
    };
    const auto labelOf = [&](size_t i) { return std::string_view(labels[i]); };
    const size_t repeated = labels.size() > kFew
                                ? firstRepeated(labels.size(), labelOf)
                                : std::ranges::find_if(labels, isRepeated) - labels.begin();
    if (repeated < labels.size())
      require(false, "variable '{}' has label '{}' twice", variable.name, labels[repeated]);
  }

  void derivation(size_t slot) {
    const Param &param = model_.params[slot];
    const std::string fault = findDerivationFault(param.derivation, slot);
    if (!require(fault.empty(), "param '{}' follows from {}", param.name, fault))
      return;
    require(param.varies, "param '{}' follows from others, and does not vary", param.name);
    std::set<uint32_t> sources;
    addParamsOf(param.derivation, sources);
    for (const uint32_t source : sources)
      require(model_.params[source].varies, "'{}' depends on param '{}', which does not vary",
              param.name, model_.params[source].name);
  }

  void params() {
    uniqueNames(model_.params, "param");
    for (size_t slot = 0; slot < model_.params.size() && fault_.empty(); ++slot)
      if (!model_.params[slot].derivation.code.empty())
        derivation(slot);
    uniqueNames(model_.sweeps, "sweep");
    for (const SweptParam &sweep : model_.sweeps) {
      require(std::ranges::any_of(model_.params,
                                  [&](const Param &param) {
                                    return param.name == sweep.name && param.varies &&
                                           param.isSwept && param.derivation.code.empty();
                                  }),
              "sweep of '{}', which is no param that varies by itself", sweep.name);
      require(!sweep.values.empty(), "sweep of '{}' without values", sweep.name);
    }
  }

  void formula(const Factor &factor) {
    const TableFormula &formula = *factor.formula;
    if (!require(storedValues(factor) == formula.values, "the formula of '{}' has other values",
                 factor.name))
      return;
    const bool isSame = std::ranges::equal(factor.scope, formula.extents, {},
                                           [&](VarId id) { return model_.variable(id).extent; });
    require(isSame, "the formula of '{}' is over other extents than its scope", factor.name);
    const std::string fault = findFormulaFault(formula, model_.params.size());
    require(fault.empty(), "the formula of '{}' has {}", factor.name, fault);
    for (const uint32_t slot : fault.empty() ? paramsOf(formula) : std::vector<uint32_t>())
      require(model_.params[slot].varies, "'{}' depends on param '{}', which does not vary",
              factor.name, model_.params[slot].name);
  }

  /// Starts a set of variables: those in seen_ with the new stamp. Sets need no clearing or
  /// hashing.
  void startSet() { ++stamp_; }
  bool distinct(const std::vector<VarId> &ids, std::string_view where) {
    for (const VarId id : ids) {
      if (!require(id.index() < model_.variables.size(), "{} names variable {} of {}", where,
                   id.value, model_.variables.size()))
        return false;
      if (!require(seen_[id.index()] != stamp_, "{} names variable '{}' twice", where,
                   model_.variable(id).name))
        return false;
      seen_[id.index()] = stamp_;
    }
    return true;
  }

  void factors() {
    uniqueNames(model_.factors, "factor");
    for (size_t i = 0; i < model_.factors.size() && fault_.empty(); ++i) {
      factor(model_.factors[i]);
      if (!fault_.empty() || !model_.factors[i].uncut)
        continue;
      cut(FactorId(i));
      placeFault(*model_.factors[i].uncut);
    }
  }

  void factor(const Factor &factor) {
    startSet();
    if (!distinct(factor.scope, factor.name))
      return;
    require(!factor.family.empty(), "factor '{}' has no family", factor.name);
    require(!factor.conditional || !factor.scope.empty(), "conditional '{}' has no child",
            factor.name);
    if (factor.formula)
      formula(factor);
    require(!factor.defaults || (!factor.values && !factor.formula && !factor.wide),
            "'{}' has defaults beside values", factor.name);
    require(!factor.values || !factor.wide, "'{}' has wide values beside others", factor.name);
    const TableValues &values = storedValues(factor);
    if (!values)
      return;
    const uint64_t needed = scopeElems(model_, factor.scope);
    if (factor.wide)
      return wide(factor, needed);
    require(values->size() == needed, "table of '{}' has {} values, its scope needs {}",
            factor.name, values->size(), needed);
    if (checkedTables_.insert(values.get()).second)
      for (const double value : *values)
        require(!std::isnan(value), "table of '{}' holds a NaN", factor.name);
  }

  /// Checks a table that do() cut off, and what it was.
  void cut(FactorId id) {
    const Factor &now = model_.factor(id), &before = *now.uncut;
    factor(before);
    if (!require(now.conditional && before.conditional && now.scope.size() == 1 && now.values,
                 "'{}' was cut, and is no table of one variable", now.name) ||
        !require(!before.uncut && before.scope.back() == now.scope.back() &&
                     before.name == now.name && before.family == now.family,
                 "'{}' was cut, and was another factor before", now.name))
      return;
    require(std::ranges::count(*now.values, 1) == 1 &&
                std::ranges::count(*now.values, 0) + 1 == std::ssize(*now.values),
            "'{}' was cut, and is certain of no state", now.name);
    require(!isBehindLink(model_, before) ||
                (id.index() != 0 && model_.factors[id.index() - 1].uncut),
            "'{}' was cut, and the link before it was not", now.name);
  }

  void chains() {
    if (!fault_.empty() || ownVariableCount(model_) == model_.variables.size())
      return;
    fault_ = findChainFault(model_);
    if (fault_.empty() &&
        std::ranges::any_of(model_.factors, [](const Factor &f) { return f.uncut != nullptr; }))
      fault_ = findChainFault(withoutCuts(model_));
  }

  void wide(const Factor &factor, uint64_t elems) {
    const std::vector<double> &stored = *factor.wide;
    if (!require(stored.size() != elems && holdsValues(stored.size(), elems),
                 "wide table of '{}' has {} numbers, its scope needs {} mantissas and exponents",
                 factor.name, stored.size(), elems) ||
        !require(isWideTable(stored), "wide table of '{}' has numbers that are none", factor.name))
      return;
  }

  void evidence() {
    if (!fault_.empty())
      return;
    fault_ = findEvidenceFault(model_.evidence, model_.variables);
  }

  /// Checks that each table that do() cut off has the state that is observed.
  void cutStates() {
    for (size_t i = 0; i < model_.factors.size() && fault_.empty(); ++i)
      if (const Factor &factor = model_.factors[i]; factor.uncut && !isInnerLink(model_, factor)) {
        cutState(factor);
        placeFault(*factor.uncut);
      }
  }

  void cutState(const Factor &factor) {
    const VarId child = factor.scope.back();
    require(model_.evidence.observes(child), "'{}' was cut, and '{}' is not observed", factor.name,
            model_.variable(child).name);
    for (uint64_t i = 0; i < model_.evidence.caseCount && fault_.empty(); ++i) {
      const auto state = model_.evidence.state(child, i);
      require(state && (*factor.values)[*state] == 1,
              "'{}' was cut at another state than the observed one", factor.name);
    }
  }

  void placeFault(const Factor &uncut) {
    if (!fault_.empty())
      place_ = uncut.place;
  }

  void likelihoods() {
    const std::vector<FactorId> &ids = model_.evidence.likelihoods;
    for (size_t i = 0; i < ids.size() && fault_.empty(); ++i) {
      if (!require(ids[i].index() < model_.factors.size(), "likelihood {} of {} factors", ids[i],
                   model_.factors.size()))
        return;
      require(i == 0 || ids[i - 1] < ids[i], "likelihoods are not sorted at factor {}", ids[i]);
      const Factor &factor = model_.factor(ids[i]);
      require(factor.scope.size() == 1, "soft evidence '{}' has {} variables, needs 1", factor.name,
              factor.scope.size());
      require(!factor.target ||
                  (factor.values && holdsValues(factor.target->size(), factor.values->size())),
              "the posterior of '{}' does not fit its values", factor.name);
      require(!factor.target || factor.target->size() == factor.values->size() ||
                  isWideTable(*factor.target),
              "the posterior of '{}' has numbers that are none", factor.name);
    }
  }

  void cases() {
    if (!model_.cases || !fault_.empty())
      return;
    require(!model_.evidence.listed, "the model lists cases twice");
    const CaseSchema &schema = model_.cases->schema();
    for (const std::string &name : schema.params) {
      const auto param = std::ranges::find(model_.params, name, &Param::name);
      require(param != model_.params.end() && param->varies,
              "cases set param '{}', which has one value", name);
    }
    startSet();
    for (const std::vector<CaseVariable> *set : {&schema.observed, &schema.likelihoods})
      for (const CaseVariable &column : *set) {
        if (!distinct({column.variable}, "the list of cases"))
          return;
        const Variable &variable = model_.variable(column.variable);
        require(column.extent == variable.extent && !model_.evidence.observes(column.variable),
                "cases set variable '{}', which has {} states, as one of {}, or it is observed",
                variable.name, variable.extent, column.extent);
      }
  }

  void queries() {
    uniqueNames(model_.queries, "query");
    for (const Query &query : model_.queries) {
      startSet();
      if (!fault_.empty() || !distinct(query.output, query.name))
        return;
      for (const QueryReduction &reduction : query.reductions) {
        if (!distinct(reduction.variables, query.name))
          return;
        require(isSemiring({reduction.reduce, query.combine}),
                "query '{}' reduces with {} over {}, not a semiring", query.name,
                static_cast<int>(reduction.reduce), static_cast<int>(query.combine));
      }
      const QueryTraits &traits = traitsOf(query.kind);
      if (!conditions(query))
        return;
      require(traits.isExpression() || query.reductions.empty(),
              "short-form query '{}' has {} reductions", query.name, query.reductions.size());
      require(!traits.isExpression() || !traits.decoding || findsOne(query.reductions),
              "query '{}' has {} reductions, and finds an assignment by one maximum or minimum",
              query.name, query.reductions.size());
      require(!traits.isExpression() || !query.factors.empty(),
              "query '{}' is an expression of no factors", query.name);
      for (const JoinedQuery &joined : query.joined) {
        startSet();
        if (!distinct(joined.output, query.name))
          return;
      }
      require(query.rowVariables == 0 ||
                  (traits.mayBeJoined() && query.rowVariables < query.output.size()),
              "query '{}' has rows for {} variables", query.name, query.rowVariables);
      require(query.joined.empty() == (traits.outputs != QueryOutputs::Joints),
              "query '{}' joins {} queries, and is of kind {}", query.name, query.joined.size(),
              traits.name);
      require(query.output.empty() || traits.outputs == QueryOutputs::Asked ||
                  traits.outputs == QueryOutputs::Joints || traits.asksEachVariable(),
              "query '{}' is one number, and has {} output variables", query.name,
              query.output.size());
      require((traits.arguments == QueryArguments::Count) == (query.sampleCount != 0),
              "query '{}' has a sample count of {}", query.name, query.sampleCount);
      for (size_t i = 0; i < query.factors.size() && fault_.empty(); ++i) {
        require(query.factors[i].index() < model_.factors.size(),
                "query '{}' names factor {} of {}", query.name, query.factors[i].value,
                model_.factors.size());
        require(i == 0 || query.factors[i - 1] < query.factors[i],
                "factors of query '{}' are not ascending at {}", query.name, i);
      }
    }
  }

  /// Checks Query::asked and Query::given.
  bool conditions(const Query &query) {
    startSet();
    if (!distinct(query.asked, query.name) ||
        !require(query.asked.empty() || traitsOf(query.kind).outputs == QueryOutputs::Posteriors,
                 "query '{}' asks for posteriors, and is of another kind", query.name) ||
        !require(std::ranges::is_sorted(query.asked), "query '{}' asks in another order",
                 query.name))
      return false;
    startSet();
    for (const Observation &seen : query.given) {
      if (!distinct({seen.variable}, query.name))
        return false;
      const Variable &variable = model_.variable(seen.variable);
      const bool isOther = model_.evidence.observes(seen.variable) &&
                           model_.evidence.state(seen.variable) != seen.state;
      if (!require(seen.state < variable.extent && !isOther && !variable.auxiliary,
                   "query '{}' gives '{}' the state {}", query.name, variable.name, seen.state))
        return false;
    }
    return true;
  }

  const Model &model_;
  std::vector<uint32_t> seen_;
  uint32_t stamp_ = 0;
  std::unordered_set<const void *> checkedTables_;
  std::string fault_;
  SourcePlace place_; ///< of the fault
};

} // namespace

std::string findModelFault(const Model &model, SourcePlace *place) {
  Verifier verifier(model);
  std::string fault = verifier.run();
  if (place != nullptr)
    *place = verifier.place();
  return fault;
}

void verifyModel(const Model &model) {
  const std::string fault = findModelFault(model);
  MPF_CHECK(fault.empty(), "model '{}': {}", model.name, fault);
}

} // namespace mpf
