// Expressions of the language. One without variables is folded to a number. Any other is compiled
// to a small stack program, which is evaluated for each entry of a table
// (dsl/support/expression/evaluate_expression.h). Constant subtrees are folded. If a constant
// decides `c ? a : b`, `c && b` or `c || b`, the unused side is neither compiled nor checked.
//
// A name is looked up as a loop index, then as a param, then as a variable of the scope, whose
// value is the number of its state. In a comparison with a variable, a name can be a label of that
// variable; a name with both meanings is an error. So is a variable whose labels look like numbers
// that differ from those of its states (check_comparison.h). `inf` is infinity, unless something
// else has that name.
#pragma once

#include "dsl/model/resolve/build_context.h"
#include "dsl/support/expression/expression.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace mpf {

/// The permitted use of params that differ from case to case (Param::varies).
enum class ParamUse {
  Any,     ///< factor values, other params
  Constant ///< sizes, indices, ranges, states: only params with one value
};

/// Compiles `expr` over the variables of `scope`. Returns nothing after reporting a name that is
/// unknown or not allowed here.
std::optional<Expression> compileExpression(BuildContext &context, const ast::Expr &expr,
                                            std::span<const VarId> scope,
                                            ParamUse use = ParamUse::Any);

/// Compiles `expr` for one entry of a table, where the variables of `scope` have `states`. Unused
/// sides of choices are not compiled. The result has params that vary at most.
std::optional<Expression> compileAt(BuildContext &context, const ast::Expr &expr,
                                    std::span<const VarId> scope, std::span<const uint32_t> states);

/// Returns the value of a compiled expression without variables, with the model's values of params.
/// Returns nothing after reporting, at `range`, a value that is not a number or fits no double;
/// `hint` is for the latter.
std::optional<double> valueOf(BuildContext &context, const Expression &expression,
                              SourceRange range, std::string_view what, std::string hint = {});

/// Returns the value of an expression without variables, with the model's values of params; nothing
/// after reporting, also of NaN. `what` names the value in messages: "the size of 's'".
std::optional<double> foldNumber(BuildContext &context, const ast::Expr &expr,
                                 std::string_view what, ParamUse use = ParamUse::Any);
/// Returns a whole number from `min` to `max`, both included, of at most 2^53 in magnitude; nothing
/// after reporting. Reports a param that varies.
std::optional<int64_t> foldInteger(BuildContext &context, const ast::Expr &expr,
                                   std::string_view what, int64_t min, int64_t max);

} // namespace mpf
