// `x`, `s[i][j+1]`, and where it is allowed the whole array `s`: from text to VarIds.
#pragma once

#include "dsl/model/resolve/build_context.h"

#include <optional>
#include <span>
#include <vector>

namespace mpf {

/// One variable. Reports an unknown name (with a suggestion), a wrong number of indices, an index
/// that is out of range.
std::optional<VarId> resolveVariable(BuildContext &context, const std::string &name,
                                     std::span<const ast::Expr> indices, SourceRange range);
std::optional<VarId> resolveVariable(BuildContext &context, const ast::VarRef &ref);

/// Variables in the order written, index arrays without indices as all their elements. Reports a
/// variable that occurs twice; `where` says in what: "the scope of f".
std::optional<std::vector<VarId>> resolveVariables(BuildContext &context,
                                                   std::span<const ast::VarRef> refs,
                                                   bool allowArrays, const std::string &where);

/// "(x:2, y:2, z:3)": a scope with its extents, for messages; long ones are cut.
std::string scopeText(const Model &model, std::span<const VarId> scope);

} // namespace mpf
