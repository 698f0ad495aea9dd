// `param A[n][2] = ...`: arrays of numbers.
#pragma once

#include "dsl/model/resolve/build_context.h"

namespace mpf {

/// Declares an array, or a number that a file gives. `given` is the value of the item, or that of
/// the later item whose file has it too; null: the value must come from outside. Reports bad
/// values, a shape other than that of the axes, and names that are taken.
void checkArray(BuildContext &context, const ast::ParamItem &item, const ast::Value *given);

/// Returns the number that a file has under the name of a param; nothing after reporting.
std::optional<double> numberOfFile(BuildContext &context, const ast::ParamItem &item,
                                   const ast::FileValue &file);

/// Reports a param without a value, with the ways to set it.
void reportNoValue(BuildContext &context, const ast::ParamItem &item);

} // namespace mpf
