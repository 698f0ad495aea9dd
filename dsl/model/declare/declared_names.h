// Which names a declaration declares, and which it needs declared before. The builder declares in
// the order written, and a name that stands further down when the first declaration needs it.
#pragma once

#include "dsl/syntax/ast.h"

#include <functional>
#include <string>

namespace mpf {

using NameVisitor = std::function<void(const std::string &name)>;

/// Calls `visit` with each name that a domain, var, param or def declares; other declarations
/// declare none here.
void forEachDeclared(const ast::Decl &decl, const NameVisitor &visit);

/// Calls `visit` with each name in the expressions of such a declaration, but for arguments and
/// indices of folds. A name may be a label. A name may come several times.
void forEachNeeded(const ast::Decl &decl, const NameVisitor &visit);

} // namespace mpf
