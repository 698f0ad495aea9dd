#include "codegen/lanes/observable_model.h"

#include "codegen/simplify/state/query_support.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <set>

namespace mpf {

namespace {

class ObservableBuilder {
public:
  ObservableBuilder(const Model &model, const Query &query)
      : isConcerned_(model.variables.size(), !traitsOf(query.kind).isExpression()) {
    result_.model = model;
    result_.query = query;
    for (const Factor &factor : model.factors)
      names_.insert({factor.name, factor.family});
    // An explicit query depends on the variables of its factors, of its output and of its sums. A
    // variable that it only sums multiplies the answer by its extent, unless a case observes it.
    for (const VarId id : query.output)
      isConcerned_[id.index()] = 1;
    for (const FactorId id : query.factors)
      for (const VarId v : model.factor(id).scope)
        isConcerned_[v.index()] = 1;
    for (const QueryReduction &reduction : query.reductions)
      for (const VarId id : reduction.variables)
        isConcerned_[id.index()] = 1;
  }

  /// Adds a factor over one variable; none if the query does not depend on the variable.
  FactorId add(const char *kind, VarId variable) {
    if (!isConcerned_[variable.index()])
      return {};
    Factor factor;
    const std::string name = fmt::format("{}({})", kind, result_.model.variable(variable).name);
    factor.name = name;
    for (unsigned i = 1; !names_.insert(factor.name).second; ++i)
      factor.name = fmt::format("{}_{}", name, i);
    factor.family = factor.name;
    factor.scope = {variable};
    const FactorId id{result_.model.factors.size()};
    result_.model.factors.push_back(std::move(factor));
    result_.query.factors.push_back(id);
    return id;
  }

  ObservableModel take() {
    result_.model.queries = {result_.query};
    return std::move(result_);
  }

  ObservableModel &result() { return result_; }

private:
  ObservableModel result_;
  std::set<std::string> names_;
  std::vector<char> isConcerned_; ///< by variable
};

} // namespace

std::optional<size_t> ObservableModel::weightTableOf(FactorId factor) const {
  if (const auto at = std::ranges::find(likelihoods, factor); at != likelihoods.end())
    return static_cast<size_t>(at - likelihoods.begin());
  for (size_t i = 0; i < tables.size(); ++i)
    if (std::ranges::find(tables[i].factors, factor) != tables[i].factors.end())
      return likelihoods.size() + i;
  return std::nullopt;
}

ObservableModel observableModel(const Model &model, const Query &query, const CaseSchema &schema) {
  MPF_CHECK(!model.evidence.listed, "model {} lists {} cases of its own", model.name,
            model.evidence.caseCount);
  ObservableBuilder builder(model, query);
  for (const CaseVariable &observed : schema.observed) {
    MPF_CHECK(!model.evidence.observes(observed.variable), "{} is observed in every case",
              model.variable(observed.variable).name);
    builder.result().indicators.push_back(builder.add("observed", observed.variable));
  }
  builder.result().indicated.resize(schema.observed.size());
  for (const CaseVariable &likelihood : schema.likelihoods) {
    builder.result().likelihoods.push_back(builder.add("likelihood", likelihood.variable));
    if (builder.result().likelihoods.back().valid())
      refuseSoftCost(model, query, likelihood.variable);
  }
  builder.result().tables = schema.tables;
  for (const VaryingTable &table : schema.tables)
    for (const FactorId id : table.factors) {
      Factor &factor = builder.result().model.factors[id.index()];
      forgetValues(factor);
      factor.bindsNegative = !table.nonNegative;
    }
  return builder.take();
}

} // namespace mpf
