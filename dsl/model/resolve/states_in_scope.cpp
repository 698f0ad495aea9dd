#include "dsl/model/resolve/states_in_scope.h"

#include "dsl/syntax/spelling.h"

namespace mpf {

namespace {

bool isBareName(const ast::Expr &expr) {
  return expr.kind == ast::ExprKind::Ref && expr.children.empty();
}

} // namespace

bool StatesInScope::canBeLabel(const ast::Expr &expr) const {
  if (expr.kind == ast::ExprKind::String)
    return true;
  if (!isBareName(expr))
    return false;
  const Symbol *symbol = context_.symbols.find(expr.name);
  if (symbol == nullptr) // most labels are the names of nothing
    return !isLocalName(context_, expr.name);
  return !symbol->isBroken() && numberKindOf(context_, expr.name, scope_) == nullptr;
}

bool StatesInScope::checkMeaning(const ast::Expr &name, const ast::Expr &variable) const {
  const auto stated = isBareName(name) ? statedOf(variable) : std::nullopt;
  return !stated || checkOneMeaning(context_, stated->place, name, scope_);
}

std::optional<Stated> StatesInScope::statedOf(const ast::Expr &expr) const {
  if (expr.kind != ast::ExprKind::Ref || findLoopIndex(context_, expr.name) != nullptr)
    return std::nullopt;
  if (const CallArgument *argument = findArgument(context_, expr.name))
    return argument->domain ? std::optional(Stated{{*argument->domain, expr.name}, argument})
                            : std::nullopt;
  const auto *const variable = context_.call == nullptr && !findBinding(context_, expr.name)
                                   ? context_.symbols.findAs<VariableSymbol>(expr.name)
                                   : nullptr;
  return variable ? std::optional(Stated{placeOf(context_, variable->first)}) : std::nullopt;
}

const StatePlace *StatesInScope::choicePlace(const ast::Expr &expr,
                                             const std::optional<Stated> &other) const {
  const auto hasLabel = [&](const auto &self, const ast::Expr &branch) -> bool {
    if (branch.kind == ast::ExprKind::Conditional)
      return self(self, branch.children[1]) || self(self, branch.children[2]);
    const bool isLabel = isBareName(branch) && other->place.domain.stateOf.contains(branch.name);
    return isLabel || (branch.name != "inf" && canBeLabel(branch));
  };
  const bool isChoice = other && expr.kind == ast::ExprKind::Conditional;
  return isChoice && hasLabel(hasLabel, expr) ? &other->place : nullptr;
}

} // namespace mpf
