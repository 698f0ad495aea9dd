// Checks uses of states that have labels. Expressions compute with the numbers of states, so they
// may use a state only where its label and its number give equal answers.
#pragma once

#include "dsl/model/resolve/state_ref.h"
#include "dsl/support/expression/expression.h"

#include <optional>

namespace mpf {

/// One side of a comparison. The optional fields are empty for other expressions.
struct ComparedSide {
  const ast::Expr &expr;
  std::optional<StatePlace> place = {}; ///< the expression is just this variable or argument
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
