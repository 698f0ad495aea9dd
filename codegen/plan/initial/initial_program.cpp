#include "codegen/plan/initial/initial_program.h"

#include "codegen/plan/program/program_edit.h"
#include "codegen/plan/program/program_statistics.h"
#include "codegen/simplify/state/query_support.h"
#include "dsl/model/query_model.h"
#include "dsl/source/text_error.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <functional>

namespace mpf {

namespace {

/// The most entries of a scope: no memory holds more, and sizes up to this are exact.
constexpr uint64_t kMaxScopeElems = uint64_t{1} << 62;

class Initial {
public:
  Initial(const Model &model, const Query &query, Diagnostics &diagnostics)
      : model_(model), query_(query), traits_(traitsOf(query.kind)), diagnostics_(diagnostics),
        semiring_(checkedSemiring(model, query)), observed_(model.variables.size(), 0),
        occurs_(model.variables.size(), 0), kept_(model.variables.size(), 0),
        wanted_(model.variables.size(), 0) {
    for (const Finding &finding : model.evidence.findings)
      observed_[finding.variable.index()] = 1;
  }

  TableProgram build() {
    program_.name = query_.name;
    program_.kind = query_.kind;
    program_.evidence = model_.evidence;
    program_.evidence.likelihoods.clear();
    program_.variables.reserve(model_.variables.size());
    for (size_t i = 0; i < model_.variables.size(); ++i)
      program_.variables.push_back({.name = model_.variables[i].name,
                                    .extent = model_.variables[i].extent,
                                    .unasked = !isAsked(query_, VarId{i})});
    addOutputs();
    addFactors();
    addAskedScopes();
    addAbsentVariables();
    reduceAll();
    return std::move(program_);
  }

private:
  const ProgramVariable &variable(VarId id) const { return program_.variables[id.index()]; }
  bool carriesInformation(VarId id) const {
    return variable(id).extent > 1 && !observed_[id.index()];
  }

  void addOutputs() {
    for (const JoinedQuery &joined : query_.joined)
      program_.asked.push_back(openPart(joined));
    if (!query_.joined.empty())
      return;
    AskedPosterior open = openPart({query_.name, query_.output, query_.rowVariables, query_.place});
    outputScope_ = std::move(open.scope);
    rowVariables_ = open.rowVariables;
    for (const VarId id : outputScope_)
      kept_[id.index()] = 1;
  }

  /// Returns the variables of a query that are not observed. Warns of the others.
  AskedPosterior openPart(const JoinedQuery &query) {
    AskedPosterior open{query.name, {}};
    for (size_t i = 0; i < query.output.size(); ++i) {
      const VarId id = query.output[i];
      if (observed_[id.index()]) {
        diagnostics_.warning(query.place,
                             "query {} asks for {}, which is observed: the result is the slice "
                             "at its observed state",
                             query.name, variable(id).name);
        continue;
      }
      open.scope.push_back(id);
      open.rowVariables += i < query.rowVariables;
      wanted_[id.index()] = 1;
    }
    return open;
  }

  void addInput(ProgramTable table) {
    table.sizeElems = programElems(program_, table.scope);
    if (table.sizeElems > kMaxScopeElems)
      failAt(ErrorKind::MemoryBound, query_.place, "table {} alone has 2^{:.1f} entries",
             table.name, log2SliceElems(program_, table.scope));
    program_.tables.push_back(std::move(table));
  }

  void addFactor(FactorId id) {
    ProgramTable table;
    table.name = model_.factor(id).name;
    table.factor = id;
    table.scope.reserve(model_.factor(id).scope.size());
    for (const VarId v : model_.factor(id).scope)
      if (carriesInformation(v)) {
        table.scope.push_back(v);
        occurs_[v.index()] = 1;
      }
    addInput(std::move(table));
  }

  void addFactors() {
    const std::vector<FactorId> factors = queryFactors(model_, query_);
    program_.tables.reserve(factors.size() + 1); // the result of all
    for (const FactorId id : factors)
      addFactor(id);
  }

  /// Adds a table of ones for each asked scope that no input holds, larger scopes first. Then one
  /// product holds the scope when its first variable is eliminated.
  void addAskedScopes() {
    std::vector<const AskedPosterior *> bySize;
    for (const AskedPosterior &asked : program_.asked)
      if (asked.scope.size() > 1)
        bySize.push_back(&asked);
    if (bySize.empty())
      return;
    std::ranges::stable_sort(bySize, std::ranges::greater(),
                             [](const AskedPosterior *asked) { return asked->scope.size(); });
    inputsOf_.resize(program_.variables.size());
    for (size_t i = 0; i < program_.tables.size(); ++i)
      for (const VarId id : program_.tables[i].scope)
        inputsOf_[id.index()].push_back(TableId{i});
    for (const AskedPosterior *asked : bySize)
      if (!isHeldByInput(asked->scope)) {
        for (const VarId id : asked->scope)
          inputsOf_[id.index()].push_back(TableId{program_.tables.size()});
        addOnes(asked->scope);
      }
  }

  bool isHeldByInput(const std::vector<VarId> &scope) const {
    const VarId rarest = *std::ranges::min_element(
        scope, {}, [this](VarId id) { return inputsOf_[id.index()].size(); });
    return std::ranges::any_of(inputsOf_[rarest.index()], [&](TableId table) {
      const std::vector<VarId> &held = program_.table(table).scope;
      return std::ranges::all_of(
          scope, [&held](VarId id) { return std::ranges::find(held, id) != held.end(); });
    });
  }

  /// Variables of the query that are in no input so far.
  void addAbsentVariables() {
    const bool posteriors = traits_.outputs == QueryOutputs::Posteriors;
    std::vector<char> reduced(model_.variables.size(), !traits_.isExpression());
    for (const QueryReduction &reduction : query_.reductions)
      for (const VarId id : reduction.variables)
        reduced[id.index()] = 1;
    for (size_t i = 0; i < model_.variables.size(); ++i) {
      const VarId id{i};
      if (occurs_[i] || observed_[i])
        continue;
      if (wanted_[i] || (posteriors && !variable(id).unasked))
        addOnes({id});
      else if (reduced[i])
        multiplyExtent(variable(id).extent);
    }
    flushExtents();
  }

  void addOnes(std::vector<VarId> scope) {
    ProgramTable table;
    table.name = "ones(";
    for (const VarId id : scope) {
      table.name += (id == scope.front() ? "" : ", ") + variable(id).name;
      occurs_[id.index()] = 1;
    }
    table.name += ')';
    table.scope = std::move(scope);
    table.fill = combineIdentity(semiring_.combine);
    addInput(std::move(table));
  }

  /// Extents are multiplied up as long as the product is exact in a double.
  void multiplyExtent(uint32_t extent) {
    if (extent == 1 || semiring_.reduce == Reduce::Max || semiring_.reduce == Reduce::Min)
      return;
    if (saturatingMul(extents_, extent) > uint64_t{1} << 53)
      flushExtents();
    extents_ *= extent;
  }

  void flushExtents() {
    if (extents_ != 1)
      addScalar("extents", semiring_.combine == Combine::Times
                               ? static_cast<double>(extents_)
                               : std::log(static_cast<double>(extents_)));
    extents_ = 1;
  }

  void addScalar(const char *name, double value) {
    ProgramTable table;
    table.name = name;
    table.fill = value;
    addInput(std::move(table));
  }

  void reduceAll() {
    if (program_.tables.empty())
      addScalar("one", combineIdentity(semiring_.combine));
    program_.order = outputScope_;
    for (size_t i = 0; i < occurs_.size(); ++i)
      if (occurs_[i] && !kept_[i])
        program_.order.push_back(VarId{i});
    if (outputScope_.size() > kMaxScopeVariables)
      failAt(ErrorKind::BadInput, query_.place,
             "query {} asks for {} variables at once, at most {} are allowed", query_.name,
             outputScope_.size(), kMaxScopeVariables);
    if (const double bits = log2SliceElems(program_, outputScope_); bits > 62)
      failAt(ErrorKind::MemoryBound, query_.place, "the result of query {} alone {}", query_.name,
             largeAnswer(query_.kind, bits));
    const GlobalOrder order(program_);
    std::vector<TableId> operands;
    for (size_t i = 0; i < program_.tables.size(); ++i) {
      order.sort(program_.tables[i].scope);
      operands.push_back(TableId{i});
    }
    MPF_CHECK(outputScope_.size() <= program_.order.size(), "{} output variables of {}",
              outputScope_.size(), program_.order.size());
    const std::vector<VarId> reduced(program_.order.begin() +
                                         static_cast<std::ptrdiff_t>(outputScope_.size()),
                                     program_.order.end());
    const OpId all = appendOperation(program_, order, semiring_, std::move(operands), reduced);
    ProgramOutput output;
    output.name = traits_.goesDownward ? "evidence" : query_.name;
    output.table = program_.operation(all).result;
    output.scope = outputScope_;
    output.normalised = traits_.outputs == QueryOutputs::Asked && traits_.isQuotient;
    output.rowVariables = rowVariables_;
    program_.outputs.push_back(std::move(output));
  }

  const Model &model_;
  const Query &query_;
  const QueryTraits &traits_;
  Diagnostics &diagnostics_;
  Semiring semiring_;
  TableProgram program_;
  std::vector<VarId> outputScope_;
  uint32_t rowVariables_ = 0;
  std::vector<char> observed_;                 ///< by the evidence
  std::vector<char> occurs_;                   ///< in the scope of some input
  std::vector<char> kept_;                     ///< in the result of the product
  std::vector<char> wanted_;                   ///< asked for by the query
  std::vector<std::vector<TableId>> inputsOf_; ///< by variable; of joined queries only
  uint64_t extents_ = 1;
};

} // namespace

TableProgram initialProgram(const Model &model, const Query &query, Diagnostics &diagnostics) {
  return Initial(model, query, diagnostics).build();
}

AnswerSize answerSize(const Model &model, const Query &query) {
  AnswerSize size;
  for (const VarId id : query.output) {
    if (model.evidence.observes(id) ||
        std::ranges::find(query.given, id, &Observation::variable) != query.given.end())
      continue;
    const uint32_t extent = model.variable(id).extent;
    size.elems = saturatingMul(size.elems, extent);
    size.log2Elems += std::log2(extent);
  }
  return size;
}

std::string largeAnswer(QueryKind kind, double log2Elems) {
  return fmt::format("has 2^{:.1f} entries{}", log2Elems,
                     traitsOf(kind).mayBeJoined()
                         ? "; query marginals(...) has the posterior of each variable"
                         : "");
}

} // namespace mpf
