// KINDS OF QUERY: the kinds, and the properties of each that the stages depend on, as one table.
//
// No stage compares kinds; it reads a property from the table. A new kind takes an enumerator, a
// row, and code for properties that no kind had before. The defaults of a row claim nothing: the
// planner refuses the kind, no simplification touches it, and no UAI file holds its result.
#pragma once

#include "dsl/support/semiring.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace mpf {

enum class QueryKind {
  Evidence,   ///< partition function of all factors; log P(e) for a Bayesian network
  Expression, ///< reductions over a product of named factors
  Marginals,  ///< the posterior of every variable
  Joint,      ///< P(a, b): normalised posterior over the query's output
  Mpe,        ///< largest product and its assignment; the keyword is `best`
  Samples,    ///< posterior samples
  Gradient,   ///< d log Z / d log f for every entry of every factor
  Optimum,    ///< an expression's minimum or maximum, and an assignment that has it
  Joints,     ///< several joint posteriors by one program (codegen/pipeline/joint_queries.h)
};

/// The contents of the parentheses after the keyword of a short form.
enum class QueryArguments {
  None,
  Variables, ///< the query's output
  Count,     ///< Query::sampleCount
  Posteriors ///< Query::asked; they may be left out
};

/// The tables that are the result of a program.
enum class QueryOutputs {
  Number,     ///< one number, with the name of the query
  Asked,      ///< one table over the query's output, with the name of the query
  Posteriors, ///< the number "evidence", then a table for each variable that is not observed
  Joints,     ///< the number "evidence", then a normalised table for each of Query::joined
};

/// How the traceback chooses the state of a variable. It reads a row of the variable's bucket: one
/// value for each state, with the states of all later eliminated variables fixed.
enum class Decoding {
  Argmax, ///< the best value, the lowest state among equals
};

/// The part of an answer that postsolve (runtime/execute/host/postsolve.h) restores from the answer
/// of a simplified problem. Each simplification pass is valid for some of these.
enum class Restored {
  Nothing,    ///< the query must not be simplified
  Number,     ///< a total
  Table,      ///< a table over the output
  Posterior,  ///< a table over the output whose entries are fractions of their sum
  Posteriors, ///< a posterior for each variable
  Assignment, ///< a best state for each variable
};

/// Tasks of the UAI competitions: the values of --task and the first word of a result file.
enum class UaiTask { Pr, Mar, Mpe, Mmap };

struct QueryTraits {
  QueryKind kind;
  std::string_view name;    ///< the kind's name in texts, bundles and results: "joint"
  std::string_view keyword; ///< the first word of the short form: "P". Empty: an expression, which
                            ///< names its factors and reductions itself, or joined queries. The
                            ///< language tells the kinds of expressions apart by their reductions
  QueryArguments arguments = QueryArguments::None;
  bool isQuotient = false;     ///< the result has fractions of a sum: its tables, except
                               ///< "evidence", are normalised, and no integer type can hold them
  bool isPlanned = false;      ///< false: refused as not supported yet
  Reduce reduce = Reduce::Sum; ///< short forms: how the upward pass reduces the product
  QueryOutputs outputs = QueryOutputs::Number;
  bool goesDownward = false;             ///< there are downward messages, too
  std::optional<Decoding> decoding = {}; ///< set: a traceback finds assignments for the result
  Restored restored = Restored::Nothing;
  std::string_view assignment = {};   ///< the name of such an assignment in messages
  std::optional<UaiTask> uai = {};    ///< the task whose result file holds its result
  std::string_view ifImpossible = {}; ///< when the evidence has probability zero, "there ..." is
                                      ///< the message. Empty: the result 0 is an answer

  /// Whether the language has a short form of the kind.
  constexpr bool isShortForm() const { return !keyword.empty(); }
  constexpr bool isExpression() const { return !isShortForm() && outputs != QueryOutputs::Joints; }
  /// Whether several queries of the kind can be joined to one program.
  constexpr bool mayBeJoined() const {
    return outputs == QueryOutputs::Asked && restored == Restored::Posterior;
  }
  /// Whether each variable must keep a separate message, because the downward pass or a traceback
  /// walks the bucket tree a second time.
  constexpr bool needsBucketTree() const { return goesDownward || decoding.has_value(); }
  /// Whether a short form needs factors without negative values. The maximum distributes over
  /// products of such values only, and a decoding takes products as weights. An expression says
  /// itself whether it multiplies (needsNonNegative in codegen/simplify/state/query_support.h).
  constexpr bool needsNonNegative() const {
    return !isExpression() && (reduce != Reduce::Sum || decoding.has_value());
  }
  /// Whether a result has at most one assignment, because a list of cases has columns for one.
  constexpr bool fitsCases() const { return !decoding || *decoding == Decoding::Argmax; }
  /// Whether the result has a part for each variable of the model. Such queries may hold variables
  /// (Query::output); the result then is complete for each of their states.
  constexpr bool asksEachVariable() const {
    return outputs == QueryOutputs::Posteriors || decoding.has_value();
  }
};

/// The traits of all kinds, in the order of QueryKind.
inline constexpr std::array<QueryTraits, 9> kQueryTraits = {{
    {.kind = QueryKind::Evidence,
     .name = "evidence",
     .keyword = "evidence",
     .isPlanned = true,
     .restored = Restored::Number,
     .uai = UaiTask::Pr},
    {.kind = QueryKind::Expression,
     .name = "expression",
     .keyword = "",
     .isPlanned = true,
     .outputs = QueryOutputs::Asked,
     .restored = Restored::Table,
     .uai = UaiTask::Pr},
    {.kind = QueryKind::Marginals,
     .name = "marginals",
     .keyword = "marginals",
     .arguments = QueryArguments::Posteriors,
     .isQuotient = true,
     .isPlanned = true,
     .outputs = QueryOutputs::Posteriors,
     .goesDownward = true,
     .restored = Restored::Posteriors,
     .uai = UaiTask::Mar,
     .ifImpossible = "are no posteriors"},
    {.kind = QueryKind::Joint,
     .name = "joint",
     .keyword = "P",
     .arguments = QueryArguments::Variables,
     .isQuotient = true,
     .isPlanned = true,
     .outputs = QueryOutputs::Asked,
     .restored = Restored::Posterior,
     .ifImpossible = "are no posteriors"},
    {.kind = QueryKind::Mpe,
     .name = "best",
     .keyword = "best",
     .isPlanned = true,
     .reduce = Reduce::Max,
     .decoding = Decoding::Argmax,
     .restored = Restored::Assignment,
     .assignment = "best assignment",
     .uai = UaiTask::Mpe,
     .ifImpossible = "is no best assignment"},
    {.kind = QueryKind::Samples,
     .name = "samples",
     .keyword = "samples",
     .arguments = QueryArguments::Count,
     .isQuotient = true},
    {.kind = QueryKind::Gradient, .name = "gradient", .keyword = "gradient", .isQuotient = true},
    {.kind = QueryKind::Optimum,
     .name = "optimum",
     .keyword = "",
     .isPlanned = true,
     .decoding = Decoding::Argmax,
     .restored = Restored::Assignment,
     .assignment = "best assignment",
     .uai = UaiTask::Mpe,
     .ifImpossible = "is no best assignment"},
    {.kind = QueryKind::Joints,
     .name = "joints",
     .keyword = "",
     .isQuotient = true,
     .isPlanned = true,
     .outputs = QueryOutputs::Joints,
     .goesDownward = true,
     .restored = Restored::Posterior,
     .ifImpossible = "are no posteriors"},
}};

constexpr const QueryTraits &traitsOf(QueryKind kind) {
  return kQueryTraits[static_cast<size_t>(kind)];
}

constexpr std::string_view queryKindName(QueryKind kind) { return traitsOf(kind).name; }
std::optional<QueryKind> queryKindNamed(std::string_view name);
/// Returns the kind whose short form begins with `keyword`.
std::optional<QueryKind> queryKindOfKeyword(std::string_view keyword);
/// Returns the kind whose short form answers a task of the competitions; none for Mmap.
std::optional<QueryKind> queryKindOfTask(UaiTask task);

} // namespace mpf
