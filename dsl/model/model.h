// MODEL: the checked meaning of a model file, whatever its format. Plain data, but for a list of
// cases, which is open and still to be read; places in the text are kept only where a later stage
// may refuse something, for its message.
//
// Everything is an index; names are only for people. A Model handed to the next stage has passed
// verifyModel (verify_model.h): ids in range, table sizes equal to the product of the scope's
// extents, evidence inside domains, queries over existing variables and factors.
#pragma once

#include "dsl/source/diagnostic.h"
#include "dsl/support/cases/case_source.h"
#include "dsl/support/evidence.h"
#include "dsl/support/expression/table_formula.h"
#include "dsl/support/format_id.h"
#include "dsl/support/query_traits.h"
#include "dsl/support/semiring.h"
#include "dsl/support/wide_table.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace mpf {

struct Variable {
  std::string name;
  uint32_t extent = 0;             ///< number of states, at least 1
  std::vector<std::string> labels; ///< one per state, or empty: states are 0..extent-1
  /// A link of a chain that stands for a noisy-max (noisy_max.h). Sums alone know of it: no
  /// text can name it, and no answer speaks of it. Such variables stand behind all others.
  bool auxiliary = false;
};

/// Entries of a table, row-major over the scope, last variable fastest. Shared because families
/// under `for` and stationary networks repeat tables. Never modified after construction.
using TableValues = std::shared_ptr<const std::vector<double>>;

struct Factor {
  std::string name;         ///< "f", "P(wet)" of `prob P(wet | rain)`, "h[0][1]"
  std::string family;       ///< the name queries use for all members: "h"; equals name otherwise
  std::vector<VarId> scope; ///< distinct variables; empty for a constant
  TableValues values;       ///< null: `input`, bound by the host program before a run
  bool conditional = false; ///< declared with `prob`: scope is (parents..., child), so that the
                            ///< table is as written; rows over the last variable sum to 1
  /// How `values` follow from params that cases set (Param::varies). Null: they do not. Factors
  /// with equal formulas share one.
  std::shared_ptr<const TableFormula> formula = {};
  /// `input default ...`: its values where nobody gives others. Null: there are none, or it is no
  /// `input`. No formula gives them.
  TableValues defaults = {};
  /// An `input`: values that are bound later may be below 0. Others may be so only where stated
  /// values are: who binds negative values where none were stated is refused.
  bool bindsNegative = false;
  /// `observe v ~ posterior ...`: the posterior that v is to have (Jeffrey's rule). `values` are 1
  /// until a likelihood is fitted to it (fit_posteriors.h), which ends the target. Null:
  /// there is none.
  TableValues target = {};
  /// Its values where doubles do not hold all of them: in the wide form of StoredValues
  /// (wide_table.h), and `values` is null. It is no `input`, but like one for the stages that
  /// know of doubles alone.
  TableValues wide = {};
  /// For messages of later stages; both may be nowhere.
  SourcePlace place = {};         ///< where the text has its values
  SourcePlace negativePlace = {}; ///< where the text has the first value below 0
  /// A table that `observe do(x = s)` cut off (cut_table.h): the factor as it was declared, of the
  /// same name and child. Null: nothing cut it.
  std::shared_ptr<const Factor> uncut = {};
};

/// `order a > b > c`: most significant first; eliminated from the last to the first.
/// Several chains, or one that leaves variables out, constrain the automatic order.
using PartialOrder = std::vector<VarId>;

/// Makes it an `input` without defaults.
inline void forgetValues(Factor &factor) {
  factor.values = factor.defaults = factor.wide = nullptr;
}

struct QueryReduction {
  Reduce reduce = Reduce::Sum;
  std::vector<VarId> variables;
};

struct Query {
  std::string name; ///< "Z", or the short form's text: "evidence", "P(rain)"
  QueryKind kind = QueryKind::Evidence;
  /// Free variables in the order asked for. Of marginals and best, for which the language has no
  /// words: held variables, for each of whose states there is an answer of its own.
  std::vector<VarId> output;
  std::vector<QueryReduction> reductions; ///< outermost first; more than one = marginal MAP;
                                          ///< empty for the short forms: the kind says it all
  Combine combine = Combine::Times;
  std::vector<FactorId> factors;   ///< ascending; every factor for the short forms
  uint64_t sampleCount = 0;        ///< kinds that take a count
  std::optional<ElementType> type; ///< `query n : u64 = ...`; none: as the caller likes
  SourcePlace place = {};          ///< its name in the text; may be nowhere
};

/// `param n = 32`, `param m = 2 * n`. Its value is in the tables.
struct Param {
  std::string name;
  double value = 0; ///< of a swept one the first
  /// Cases may set it, or one that it follows from: tables that depend on it have formulas, sizes
  /// cannot.
  bool varies = false;
  /// Of one that varies: how it follows, in a case that does not set it, from others in front of it
  /// that vary too (check_expression.h). Empty: it has `value` there. A swept one has none.
  Expression derivation = {};
  bool isSwept = false; ///< it has a SweptParam, or follows from one that has: markSwept
};

/// `param theta in linspace(0, 0.5, 64)`: one case for each value, or with several swept params for
/// each combination, the last declared fastest.
struct SweptParam {
  std::string name; ///< of a param that varies
  std::vector<double> values;
  SourcePlace place = {}; ///< may be nowhere
};

struct Model {
  std::string name;
  std::vector<Variable> variables;
  std::vector<Factor> factors;
  /// Its likelihoods are the factors of `observe v ~ ...`, over one variable each: they belong to
  /// every query over that variable.
  Evidence evidence;
  /// Where the text observes a variable, by VarId::value, as far as is known.
  std::unordered_map<uint32_t, SourcePlace> findingPlaces = {};
  /// Rows of a file, which has told its columns: a list of cases, beside what `evidence` says of
  /// all of them, which is then not listed. Null: there is none. Copies of a model share it, and it
  /// is read once.
  std::shared_ptr<CaseSource> cases = {};
  SourcePlace listedCases = {}; ///< where the text names the list of cases; may be nowhere
  std::vector<Param> params;
  std::vector<SweptParam> sweeps;
  std::vector<PartialOrder> orders;
  std::vector<Query> queries;

  const Variable &variable(VarId id) const { return variables[id.index()]; }
  const Factor &factor(FactorId id) const { return factors[id.index()]; }
};

/// Whether the factor is declared `input`.
inline bool isInput(const Factor &factor) {
  return factor.values == nullptr && factor.wide == nullptr;
}

/// Whether a value of the factor is below 0, or one that is bound later may be. Looks at each
/// value.
bool mayBeNegative(const Factor &factor);

/// How many variables the user's model has: all but the auxiliary ones, which stand behind these.
size_t ownVariableCount(const Model &model);

/// The values, or of an `input` its defaults; null: the model has neither, or they are wide.
inline const TableValues &statedValues(const Factor &factor) {
  return factor.values != nullptr ? factor.values : factor.defaults;
}
/// The same as StoredValues reads them, wide ones too.
inline const TableValues &storedValues(const Factor &factor) {
  return factor.wide != nullptr ? factor.wide : statedValues(factor);
}

/// Whether the model has a list of cases, in its evidence or in a file.
inline bool listsCases(const Model &model) { return model.evidence.listed || model.cases; }

/// Whether its queries have many answers: of listed cases, or of the values of swept params.
inline bool hasManyCases(const Model &model) { return listsCases(model) || !model.sweeps.empty(); }

/// Whether one of the params that it reads, by their slots in `params`, is swept.
bool readsSwept(const std::vector<Param> &params, const Expression &expression);
/// Sets Param::isSwept of all params, once the sweeps are there.
void markSwept(Model &model);

/// Whether the factor's values follow from a swept param: `values` are those of the first case, and
/// each case is judged by its own (formula_cases.h), the first one too.
bool isSwept(const Model &model, const TableFormula *formula);

/// Whether the cases in a file set the variable: its state or its likelihood.
bool isSetByCases(const Model &model, VarId variable);

/// "evidence", "marginals", "P(a, b)", ...: a short-form query over every factor of the model.
/// `output` and `sampleCount` are for kinds that take variables or a count (QueryArguments).
Query shortQuery(const Model &model, QueryKind kind, std::vector<VarId> output = {},
                 uint64_t sampleCount = 0);

/// What the query is computed with: `asked` by the command line or the host program, else what the
/// query says, else f64.
ElementType elementTypeOf(const Query &query, std::optional<ElementType> asked);

/// The model's values of its params, by slot (TableFormula).
std::vector<double> paramValues(const Model &model);

/// Product of the extents of a scope, saturating at UINT64_MAX.
uint64_t scopeElems(const Model &model, const std::vector<VarId> &scope);

} // namespace mpf
