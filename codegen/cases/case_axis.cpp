#include "codegen/cases/case_axis.h"

#include "dsl/model/unanswered_query.h"
#include "dsl/source/text_error.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <set>

namespace mpf {

namespace {

/// Returns `name`, with a number appended if it is taken.
std::string freeName(const std::set<std::string> &taken, const std::string &name) {
  std::string free = name;
  for (unsigned i = 1; taken.contains(free); ++i)
    free = fmt::format("{}_{}", name, i);
  return free;
}

/// Whether an indicator of zeros and ones picks the states of a case: the reduction's zero is 0.
bool isPickedByZeros(const Query &query, Reduce reduce) {
  return query.combine == Combine::Times && (reduce == Reduce::Sum || reduce == Reduce::Max);
}

Reduce reductionOf(const Query &query) {
  const QueryTraits &traits = traitsOf(query.kind);
  if (!traits.isPlanned)
    refuseUnplanned(query);
  if (traits.outputs == QueryOutputs::Joints)
    failAt(ErrorKind::Unsupported, query.place,
           "query {}: the tables of several cases at once are of one query", query.name);
  if (!traits.isExpression())
    return traits.reduce;
  for (const QueryReduction &reduction : query.reductions)
    if (reduction.reduce != query.reductions.front().reduce)
      refuseNested(query);
  const Reduce reduce = query.reductions.empty() ? Reduce::Sum : query.reductions.front().reduce;
  if (!isPickedByZeros(query, reduce))
    failAt(ErrorKind::Unsupported, query.place,
           "query {}: the tables of several cases at once are of sums and maxima of products only: "
           "where values are added or minimised, no indicator of zeros and ones leaves states out",
           query.name);
  return reduce;
}

/// Returns the state that all cases give a finding; nothing if they differ, or some do not observe
/// it.
std::optional<uint32_t> commonState(const Evidence &evidence, size_t finding) {
  const size_t columns = evidence.findings.size();
  const uint32_t first =
      evidence.caseCount == 0 ? Evidence::kNotObserved : evidence.states[finding];
  if (first == Evidence::kNotObserved)
    return std::nullopt;
  for (uint64_t number = 1; number < evidence.caseCount; ++number)
    if (evidence.states[number * columns + finding] != first)
      return std::nullopt;
  return first;
}

class AxisBuilder {
public:
  AxisBuilder(const Model &model, const Query &query, uint32_t blockCases,
              std::span<const VaryingTable> tables)
      : before_(model), asked_(query), reduce_(reductionOf(query)), blockCases_(blockCases),
        tables_(tables), isOutput_(model.variables.size(), 0),
        isConcerned_(model.variables.size(), !traitsOf(query.kind).isExpression()) {
    for (const VarId id : query.output)
      isOutput_[id.index()] = isConcerned_[id.index()] = 1;
    for (const FactorId id : query.factors)
      for (const VarId v : model.factor(id).scope)
        isConcerned_[v.index()] = 1;
    // Reduced variables that no factor has multiply the answer by their extents, unless observed.
    for (const QueryReduction &reduction : query.reductions)
      for (const VarId id : reduction.variables)
        isConcerned_[id.index()] = 1;
    result_.model = model;
  }

  CaseModel build() {
    addAxis();
    setEvidence();
    addIndicators();
    spreadTables();
    makeQuery();
    return std::move(result_);
  }

private:
  void addAxis() {
    std::set<std::string> names;
    for (const Variable &variable : before_.variables)
      names.insert(variable.name);
    result_.axis = VarId{before_.variables.size()};
    result_.model.variables.push_back({freeName(names, "case"), blockCases_, {}});
  }

  /// Keeps findings that all cases have in common as evidence, unless the query asks for them.
  void setEvidence() {
    Evidence common;
    common.likelihoods = before_.evidence.likelihoods;
    std::vector<Observation> observations;
    for (size_t i = 0; i < before_.evidence.findings.size(); ++i) {
      const VarId variable = before_.evidence.findings[i].variable;
      const std::optional<uint32_t> state = commonState(before_.evidence, i);
      if (state && !isOutput_[variable.index()])
        observations.push_back({variable, *state});
      else if (isConcerned_[variable.index()])
        varying_.push_back(variable);
    }
    common.add(std::move(observations));
    result_.model.evidence = std::move(common);
    result_.model.listedCases = {};
  }

  void addIndicators() {
    std::set<std::string> names;
    for (const Factor &factor : before_.factors)
      names.insert({factor.name, factor.family});
    for (const VarId variable : varying_) {
      Factor factor;
      factor.name = freeName(names, fmt::format("observed({})", before_.variable(variable).name));
      factor.family = factor.name;
      factor.scope = {result_.axis, variable};
      names.insert(factor.name);
      result_.indicators.push_back({variable, FactorId{result_.model.factors.size()}});
      result_.model.factors.push_back(std::move(factor));
    }
  }

  void spreadTables() {
    for (const VaryingTable &table : tables_)
      for (const FactorId id : table.factors) {
        Factor &factor = result_.model.factors[id.index()];
        forgetValues(factor);
        factor.bindsNegative = !table.nonNegative;
        factor.conditional = false; // rows of cases behind the last one have any sum
        factor.formula = nullptr;
        factor.scope.insert(factor.scope.begin(), result_.axis);
      }
  }

  void makeQuery() {
    Query &query = result_.query;
    query = asked_;
    query.output.insert(query.output.begin(), result_.axis);
    for (const CaseIndicator &indicator : result_.indicators)
      query.factors.push_back(indicator.factor);
    if (!traitsOf(asked_.kind).asksEachVariable())
      asExpression(query);
    result_.model.queries = {query};
  }

  /// Writes out the reductions that short forms imply.
  void asExpression(Query &query) const {
    query.kind = QueryKind::Expression;
    query.rowVariables = 0; // the rows of each case are divided later
    QueryReduction reduction{reduce_, {}};
    for (size_t i = 0; i < before_.variables.size(); ++i)
      if (isConcerned_[i] && !isOutput_[i] && !result_.model.evidence.observes(VarId{i}))
        reduction.variables.push_back(VarId{i});
    query.reductions.clear();
    if (!reduction.variables.empty())
      query.reductions.push_back(std::move(reduction));
  }

  const Model &before_;
  const Query &asked_;
  const Reduce reduce_;
  const uint32_t blockCases_;
  const std::span<const VaryingTable> tables_;
  std::vector<char> isOutput_;    ///< by variable of the original model
  std::vector<char> isConcerned_; ///< whether the query depends on it; true for all in short forms
  std::vector<VarId> varying_;    ///< observed variables whose state differs between cases
  CaseModel result_;
};

} // namespace

CaseModel withCaseAxis(const Model &model, const Query &query, uint32_t blockCases,
                       std::span<const VaryingTable> tables) {
  MPF_CHECK(blockCases >= 1, "blocks of {} cases", blockCases);
  MPF_CHECK(model.evidence.listed, "model {} has no list of cases", model.name);
  return AxisBuilder(model, query, blockCases, tables).build();
}

} // namespace mpf
