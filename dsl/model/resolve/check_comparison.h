// Checks uses of a variable whose labels look like numbers. Expressions compute with the numbers of
// states, so they may use such a variable only if labels and numbers give equal answers.
#pragma once

#include "dsl/model/resolve/build_context.h"
#include "dsl/support/expression/expression.h"

#include <optional>

namespace mpf {

/// One side of a comparison. The optional fields are empty for other expressions.
struct ComparedSide {
  const ast::Expr &expr;
  std::optional<VarId> variable = {}; ///< the expression is just this variable
  std::optional<double> constant = {};
};

/// Returns false after reporting that `a code b` has different meanings for labels and for numbers
/// of states. `code` is a comparison.
bool checkComparison(BuildContext &context, OpCode code, const ComparedSide &a,
                     const ComparedSide &b);

/// Returns false after reporting that the variable, used at `range` as a number, has other values
/// as labels than as numbers of states.
bool checkNumber(BuildContext &context, VarId variable, SourceRange range);

} // namespace mpf
