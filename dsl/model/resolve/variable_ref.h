// Resolves names of variables to VarIds: `x`, `s[i][j+1]`, lists of an array's elements such as
// `s[0..3][j]`, and the whole array `s` where allowed.
#pragma once

#include "dsl/model/diagonal.h"
#include "dsl/model/resolve/build_context.h"

#include <optional>
#include <span>
#include <vector>

namespace mpf {

/// Resolves one variable. Returns nothing after reporting an unknown name (with a suggestion), a
/// wrong number of indices, an index out of range, or several variables.
std::optional<VarId> resolveVariable(BuildContext &context, const std::string &name,
                                     std::span<const ast::Expr> indices, SourceRange range);
std::optional<VarId> resolveVariable(BuildContext &context, const ast::VarRef &ref);

/// Resolves distinct variables, in the order written; those of a list have the last index fastest.
/// An array without indices means all its elements. Returns nothing after reporting. `where` names
/// the list in messages: "the query".
std::optional<std::vector<VarId>> resolveVariables(BuildContext &context,
                                                   std::span<const ast::VarRef> refs,
                                                   const std::string &where);

/// Resolves the scope of a table: single variables and lists of elements; a variable may occur
/// several times. Returns nothing after reporting, also, at `owner`, more than
/// ModelLimits::maxScope.
std::optional<WrittenScope> resolveScope(BuildContext &context, std::span<const ast::VarRef> refs,
                                         SourceRange owner);

/// Returns a scope with its extents, "(x:2, y:2, z:3)", for messages; a long scope is cut.
std::string scopeText(const Model &model, std::span<const VarId> scope);

} // namespace mpf
