// Calls of functions that a text declares with `def`.
#pragma once

#include "dsl/model/resolve/language_expression.h"
#include "dsl/model/resolve/local_names.h"

#include <optional>
#include <span>

namespace mpf {

/// Returns the function that `call` names, with as many arguments as it needs. Returns null after
/// reporting an unknown name, another number of arguments, or a function that is not earlier than
/// the one whose body is being compiled.
const FunctionSymbol *findFunction(BuildContext &context, const ast::Expr &call);

/// Compiles the arguments of a call over `scope`, for the entry with `states` if there are any.
/// Returns nothing after reporting.
std::optional<CallFrame> makeFrame(BuildContext &context, const FunctionSymbol &function,
                                   const ast::Expr &call, std::span<const VarId> scope,
                                   ParamUse use, std::span<const uint32_t> states = {});

} // namespace mpf
