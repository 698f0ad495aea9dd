// KINDS OF QUERY: what the kinds are and what each one asks of the stages, as one table.
//
// No stage compares kinds: it asks a question of the table. A new kind is an enumerator, a row, and
// code for those of its answers that no kind had so far. What a row does not claim it does not get:
// it is refused by the planner, no simplification touches it, no UAI file holds its result.
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
  Best,       ///< MPE: largest product and its assignment
  Samples,    ///< posterior samples
  Gradient,   ///< d log Z / d log f for every entry of every factor
};

/// What stands in parentheses behind the keyword of a short form.
enum class QueryArguments {
  None,
  Variables, ///< the query's output
  Count,     ///< Query::sampleCount
};

/// The tables that a program gives.
enum class QueryOutputs {
  Number,     ///< one number, named as the query
  Asked,      ///< one table over the query's output, named as the query
  Posteriors, ///< the number "evidence", then a table for each variable that is not observed
};

/// How the traceback chooses a state from the row of a bucket: one value for each state of its
/// variable, with all variables that are eliminated later fixed.
enum class Decoding {
  Argmax, ///< the best value, the lowest state among equals
};

/// What postsolve (runtime/execute/host/postsolve.h) can restore from the answer of a simplified
/// problem. Simplification passes say for which of these they are valid.
enum class Restored {
  Nothing,    ///< the query must not be simplified
  Number,     ///< a total
  Table,      ///< values by the states of the output
  Posterior,  ///< the same, as fractions of their sum
  Posteriors, ///< one of each variable
  Assignment, ///< a best state of each variable
};

/// Tasks of the UAI competitions: --task, and the word that a result file begins with.
enum class UaiTask { Pr, Mar, Mpe, Mmap };

struct QueryTraits {
  QueryKind kind;
  std::string_view name;    ///< in texts, bundles and results: "joint"
  std::string_view keyword; ///< of the short form: "P"; empty: an expression, which says itself
                            ///< what it multiplies and reduces
  QueryArguments arguments = QueryArguments::None;
  bool isQuotient = false;     ///< its numbers are fractions of a sum: tables but "evidence" are
                               ///< normalised, and integer types cannot hold them
  bool isPlanned = false;      ///< false: refused as not supported yet
  Reduce reduce = Reduce::Sum; ///< short forms: over the product, in the upward pass
  QueryOutputs outputs = QueryOutputs::Number;
  bool goesDownward = false;             ///< messages go down the bucket tree, too
  std::optional<Decoding> decoding = {}; ///< its result has assignments, found by a traceback
  Restored restored = Restored::Nothing;
  std::string_view assignment = {};   ///< what people call one of them
  std::optional<UaiTask> uai = {};    ///< the result file that holds its result
  std::string_view ifImpossible = {}; ///< "there ..." when the evidence has probability zero;
                                      ///< empty: that is an answer

  constexpr bool isExpression() const { return keyword.empty(); }
  /// Messages must stay one per variable: somebody walks the bucket tree a second time.
  constexpr bool needsBucketTree() const { return goesDownward || decoding.has_value(); }
  /// Short forms: of factors without negative values. Maxima of products have no others, and a
  /// decoding takes products as weights.
  constexpr bool needsNonNegative() const { return reduce != Reduce::Sum || decoding.has_value(); }
  /// The result says something about each variable of the model.
  constexpr bool asksEachVariable() const {
    return outputs == QueryOutputs::Posteriors || decoding.has_value();
  }
};

/// In the order of QueryKind.
inline constexpr std::array<QueryTraits, 7> kQueryTraits = {{
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
    {.kind = QueryKind::Best,
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
}};

constexpr const QueryTraits &traitsOf(QueryKind kind) {
  return kQueryTraits[static_cast<size_t>(kind)];
}

constexpr std::string_view queryKindName(QueryKind kind) { return traitsOf(kind).name; }
std::optional<QueryKind> queryKindNamed(std::string_view name);
/// The kind whose short form begins with `keyword`.
std::optional<QueryKind> queryKindOfKeyword(std::string_view keyword);
/// The short form that answers a task of the competitions; none for Mmap.
std::optional<QueryKind> queryKindOfTask(UaiTask task);

} // namespace mpf
