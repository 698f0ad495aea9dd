// Uses of a variable whose labels look like numbers. An expression computes with the numbers of
// states, so it may use such a variable only where labels and numbers give the same answer.
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

/// False after reporting that a variable with which an expression computes, at `range`, has one
/// value by its labels and another by the numbers of its states.
bool checkNumber(BuildContext &context, VarId variable, SourceRange range);

} // namespace mpf
