// Comparisons of a variable whose labels look like numbers. An expression computes with the numbers
// of states, so it may compare such a variable only where labels and numbers give the same answer.
#pragma once

#include "dsl/model/resolve/build_context.h"
#include "dsl/support/expression/expression.h"

#include <optional>

namespace mpf {

/// One side of a comparison. An expression that is neither a variable nor a constant has neither.
struct ComparedSide {
  const ast::Expr &expr;
  std::optional<VarId> variable = {}; ///< the expression is this variable and nothing else
  std::optional<double> constant = {};
};

/// False after reporting that `a code b` means one thing for labels and another for the numbers of
/// states. `code` is a comparison.
bool checkComparison(BuildContext &context, OpCode code, const ComparedSide &a,
                     const ComparedSide &b);

} // namespace mpf
