// `param`, `domain`, `var`: from declarations to symbols and Model::variables.
//
// All of these run before any factor is built, in the order of the files. A factor may therefore be
// written above its variables, but a size can use only the params above it. Whatever has an error
// is declared as a BrokenSymbol, so that its uses give no further messages.
#pragma once

#include "dsl/model/resolve/build_context.h"

#include <optional>

namespace mpf {

/// Reports bad values, bad sweeps and names that are taken. A command-line override replaces the
/// value; a swept param then has this one value only.
void checkParams(BuildContext &context, const ast::ParamDecl &decl);
/// Reports duplicate labels, and sizes that are not whole numbers from 1 to the limit.
void checkDomain(BuildContext &context, const ast::DomainDecl &decl);
/// Reports what checkDomain does, and too many variables or labels before they are allocated.
void checkVariables(BuildContext &context, const ast::VarDecl &decl);

/// Adds one scalar variable with this domain. False after reporting that the name is taken or that
/// there are too many variables or labels.
bool declareVariable(BuildContext &context, const std::string &name, DomainPtr domain,
                     SourceRange range);
/// Makes a domain; nothing after reporting a duplicate label.
std::optional<DomainPtr> makeDomain(BuildContext &context, uint32_t extent,
                                    std::vector<std::string> labels, SourceRange range);

/// To be called after all declarations. Reports a scalar called "s[0]" beside an array `s` that has
/// such an element.
void checkElementNames(BuildContext &context);
/// To be called after all declarations. Reports overrides of params that do not exist.
void checkOverrides(BuildContext &context);

} // namespace mpf
