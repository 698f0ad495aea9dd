// MODEL: the checked meaning of a model file of any format. It is plain data, apart from a list of
// cases, which is an open file that is still to be read. Places in the text are kept only for
// messages of later stages.
//
// Everything is an index; names are only for people. A Model handed to the next stage has passed
// verifyModel (verify_model.h): ids are in range, and table sizes are the product of the scope's
// extents. Evidence is inside domains; queries are over existing variables and factors.
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
  /// An auxiliary variable of a noisy-max (noisy_max.h). Only sums may use it: no text can name it,
  /// and no answer mentions it. These variables follow all others.
  bool auxiliary = false;
  /// No answer has a posterior of it. Only models of queries have such variables (query_model.h).
  bool unasked = false;
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
  /// The formula of `values` if they depend on params that cases set (Param::varies); else null.
  /// Factors with equal formulas share one.
  std::shared_ptr<const TableFormula> formula = {};
  /// The values of `input default ...`, used if the host program binds none. Null: no defaults, or
  /// no `input`. They have no formula.
  TableValues defaults = {};
  /// Whether an `input` may be bound to values below 0. Without this flag, such values are accepted
  /// only if the stated values have some below 0 (statedValues).
  bool bindsNegative = false;
  /// The posterior that v shall have (`observe v ~ posterior ...`, Jeffrey's rule), in the form of
  /// StoredValues. `values` are 1 until a likelihood is fitted to it (runtime/library/jit_fit.h),
  /// which removes the target. Null: there is none.
  TableValues target = {};
  /// Its values where doubles do not hold all of them: in the wide form of StoredValues
  /// (wide_table.h), and `values` is null. It is no `input`, but like one for the stages that
  /// know of doubles alone.
  TableValues wide = {};
  /// Places for messages of later stages; both may be nowhere.
  SourcePlace place = {};         ///< where the text has its values
  SourcePlace negativePlace = {}; ///< where the text has the first value below 0
  /// A table that `observe do(x = s)` cut off (cut_table.h): the factor as it was declared, of the
  /// same name and child. Null: nothing cut it.
  std::shared_ptr<const Factor> uncut = {};
};

/// `order a > b > c`: most significant first; eliminated from the last to the first.
/// Several chains, or one that leaves variables out, constrain the automatic order.
using PartialOrder = std::vector<VarId>;

/// Makes the factor an `input` without defaults.
inline void forgetValues(Factor &factor) {
  factor.values = factor.defaults = factor.wide = nullptr;
}

struct QueryReduction {
  Reduce reduce = Reduce::Sum;
  std::vector<VarId> variables;
};

/// One of several queries that one program answers.
struct JoinedQuery {
  std::string name;
  std::vector<VarId> output; ///< distinct variables in the order of the query
  uint32_t rowVariables = 0; ///< as in Query
  SourcePlace place = {};    ///< its name in the text; may be empty
};

struct Query {
  std::string name; ///< "Z", or the short form's text: "evidence", "P(rain)"
  QueryKind kind = QueryKind::Evidence;
  /// Free variables in the order of the query. Marginals and best assignments: held variables, with
  /// a separate answer for each of their states; the language cannot write these.
  std::vector<VarId> output;
  std::vector<QueryReduction> reductions; ///< outermost first; more than one = marginal MAP;
                                          ///< empty for short forms: the kind implies them
  Combine combine = Combine::Times;
  std::vector<FactorId> factors; ///< ascending; every factor for the short forms
  uint64_t sampleCount = 0;      ///< used by kinds that take a count
  /// `P(x | y)`: the number of first variables of `output` for which each joint state has a row
  /// that sums to 1. 0: the whole result sums to 1.
  uint32_t rowVariables = 0;
  /// Evidence of this query alone, `P(x | y = yes)`. The model may observe the same states.
  std::vector<Observation> given = {};
  /// `marginals(d)`: the variables with an answer, ascending. Empty: all.
  std::vector<VarId> asked = {};
  /// The queries that a query of kind Joints answers; `output` has their variables, ascending. The
  /// language cannot write these.
  std::vector<JoinedQuery> joined = {};
  std::optional<ElementType> type; ///< `query n : u64 = ...`; not set: the caller chooses
  SourcePlace place = {};          ///< its name in the text; may be empty
};

/// A param: `param n = 32`, `param m = 2 * n`. Tables are computed with its value.
struct Param {
  std::string name;
  double value = 0; ///< the first value if it is swept
  /// Cases may set it, or a param from which it is derived. Tables that depend on it have formulas;
  /// sizes must not depend on it.
  bool varies = false;
  /// The formula of a param that varies, used in cases that do not set it. It depends on earlier
  /// params that vary too (check_expression.h). Empty: such cases use `value`. A swept param has
  /// none.
  Expression derivation = {};
  bool isSwept = false; ///< it has a SweptParam, or depends on such a param: markSwept
};

/// A swept param, `param theta in linspace(0, 0.5, 64)`: one case for each value, or for each
/// combination of several swept params, the last declared fastest.
struct SweptParam {
  std::string name; ///< name of a param that varies
  std::vector<double> values;
  SourcePlace place = {}; ///< may be empty
};

struct Model {
  std::string name;
  std::vector<Variable> variables;
  std::vector<Factor> factors;
  /// The evidence. Its likelihoods are the factors of `observe v ~ ...`, over one variable each;
  /// they belong to every query over that variable.
  Evidence evidence;
  /// The places of findings in the text, by VarId::value, as far as they are known.
  std::unordered_map<uint32_t, SourcePlace> findingPlaces = {};
  /// A list of cases in a file whose header was read. `evidence` holds in all cases and is not
  /// listed then. Null: there is no such list. Copies of a model share it, and it is read once.
  std::shared_ptr<CaseSource> cases = {};
  SourcePlace listedCases = {}; ///< the list's name in the text; may be empty
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

/// Returns the values, or the defaults of an `input`; null if there are none, or they are wide.
inline const TableValues &statedValues(const Factor &factor) {
  return factor.values != nullptr ? factor.values : factor.defaults;
}
/// Returns the values in the form of StoredValues: wide values, or those of statedValues.
inline const TableValues &storedValues(const Factor &factor) {
  return factor.wide != nullptr ? factor.wide : statedValues(factor);
}

/// Whether the model has a list of cases, in its evidence or in a file.
inline bool listsCases(const Model &model) { return model.evidence.listed || model.cases; }

/// Whether queries have an answer for each listed case, or for each value of a swept param.
inline bool hasManyCases(const Model &model) { return listsCases(model) || !model.sweeps.empty(); }

/// Whether the expression reads a swept param; its slots are indices into `params`.
bool readsSwept(const std::vector<Param> &params, const Expression &expression);
/// Sets Param::isSwept of all params; Model::sweeps is complete.
void markSwept(Model &model);

/// Whether values with this formula depend on a swept param. Then `values` are those of the first
/// case, and each case is checked separately (formula_cases.h), the first one too.
bool isSwept(const Model &model, const TableFormula *formula);

/// Whether the cases in a file set the variable: its state or its likelihood.
bool isSetByCases(const Model &model, VarId variable);

/// Makes a short-form query over every factor: "evidence", "marginals", "P(a, b)", ...
/// `output` and `sampleCount` are for kinds that take variables or a count (QueryArguments).
Query shortQuery(const Model &model, QueryKind kind, std::vector<VarId> output = {},
                 uint64_t sampleCount = 0);

/// Returns the element type of a query: `asked` by the command line or the host program, else that
/// of the query, else f64.
ElementType elementTypeOf(const Query &query, std::optional<ElementType> asked);

/// Returns the values of the params in the model, by slot (TableFormula).
std::vector<double> paramValues(const Model &model);

/// Returns the product of the extents of a scope, saturating at UINT64_MAX.
uint64_t scopeElems(const Model &model, const std::vector<VarId> &scope);

} // namespace mpf
