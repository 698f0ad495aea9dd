// `param`, `domain`, `var`: from declarations to symbols and Model::variables.
//
// They run before everything else and in the order of the files, so that a factor may stand before
// its variables while sizes depend only on params above them.
#pragma once

#include "dsl/model/resolve/build_context.h"

#include <optional>

namespace mpf {

/// Reports bad values, bad sweeps, names that are taken. A command-line override replaces the value
/// (and ends a sweep).
void checkParams(BuildContext &context, const ast::ParamDecl &decl);
/// Reports duplicate labels, sizes that are not whole numbers from 1 to the limit.
void checkDomain(BuildContext &context, const ast::DomainDecl &decl);
/// Also reports too many variables or labels, before allocating them.
void checkVariables(BuildContext &context, const ast::VarDecl &decl);

/// Adds one scalar variable with this domain; false after reporting that the name is taken.
bool declareVariable(BuildContext &context, const std::string &name, DomainPtr domain,
                     SourceRange range);
/// Makes a domain, or reports a duplicate label.
std::optional<DomainPtr> makeDomain(BuildContext &context, uint32_t extent,
                                    std::vector<std::string> labels, SourceRange range);

/// After all declarations: a scalar called "s[0]" beside an array `s` that has such an element;
/// overrides of params that do not exist.
void checkElementNames(BuildContext &context);
void checkOverrides(BuildContext &context);

} // namespace mpf
