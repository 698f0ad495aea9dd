// `param`, `domain`, `var`: from declarations to symbols and Model::variables.
//
// All of these run before any factor is built, so a factor may be written above its variables.
// declare_names.h has the order. A name with an error is declared as a BrokenSymbol, so that its
// uses give no further messages.
#pragma once

#include "dsl/model/resolve/build_context.h"

#include <optional>

namespace mpf {

/// Declares params. Reports bad values, bad sweeps and names that are taken. An override replaces
/// the value or the sweep.
void checkParams(BuildContext &context, const ast::ParamDecl &decl);
/// Declares a domain. Reports duplicate labels, and sizes that are not whole numbers from 1 to the
/// limit.
void checkDomain(BuildContext &context, const ast::DomainDecl &decl);
/// Declares variables. Reports the faults of checkDomain, and too many variables or labels before
/// they are allocated.
void checkVariables(BuildContext &context, const ast::VarDecl &decl);

/// Declares a function. Reports names that are taken. Its body is checked where it is called.
void checkFunction(BuildContext &context, const ast::DefDecl &decl);

/// Returns the domain of a declaration, which messages call `owner`; nothing after reporting.
std::optional<DomainPtr> resolveDomain(BuildContext &context, const ast::DomainSpec &spec,
                                       const std::string &owner);

/// Adds one scalar variable with this domain. Returns false after reporting that the name is taken
/// or that there are too many variables or labels.
bool declareVariable(BuildContext &context, const std::string &name, DomainPtr domain,
                     SourceRange range);
/// Makes a domain; returns nothing after reporting a duplicate label.
std::optional<DomainPtr> makeDomain(BuildContext &context, uint32_t extent,
                                    std::vector<std::string> labels, SourceRange range);

/// Reports a scalar called "s[0]" if an array `s` has such an element. Call it after all
/// declarations.
void checkElementNames(BuildContext &context);
/// Reports overrides of params that do not exist. Call it after all declarations.
void checkOverrides(BuildContext &context);

} // namespace mpf
