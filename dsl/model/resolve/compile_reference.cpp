// Names in expressions: indices, params, variables, and labels in comparisons.
#include "dsl/model/resolve/expression_compiler.h"

#include "dsl/model/resolve/state_ref.h"
#include "dsl/model/resolve/variable_ref.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <limits>

namespace mpf {

namespace {

bool isBareName(const ast::Expr &expr) {
  return expr.kind == ast::ExprKind::Ref && expr.children.empty();
}

} // namespace

bool ExpressionCompiler::compileRef(const ast::Expr &expr) {
  if (const LoopIndex *index = findLoopIndex(context_, expr.name))
    return noIndices(expr, "a loop index") && (push(static_cast<double>(index->value)), true);
  if (const CallArgument *argument = findArgument(context_, expr.name))
    return compileArgument(expr, *argument);
  if (const auto binding = findBinding(context_, expr.name))
    return compileBinding(expr, *binding);
  const Symbol *symbol = context_.symbols.find(expr.name);
  if (symbol && std::holds_alternative<ParamSymbol>(symbol->what))
    return noIndices(expr, "a param") && compileParam(expr, std::get<ParamSymbol>(symbol->what));
  if (symbol && std::holds_alternative<ArrayPtr>(symbol->what))
    return compileEntry(expr, std::get<ArrayPtr>(symbol->what));
  if (symbol && std::holds_alternative<VariableSymbol>(symbol->what))
    return compileVariable(expr) && (code_.back().code != OpCode::State ||
                                     checkNumber(context_, scope_[code_.back().slot], expr.range));
  if (expr.name == "inf" && !symbol) {
    push(std::numeric_limits<double>::infinity());
    return noIndices(expr, "a number");
  }
  reportUnknown(expr, symbol);
  return false;
}

bool ExpressionCompiler::noIndices(const ast::Expr &expr, const char *what) {
  if (!expr.children.empty())
    context_.error(expr.range, "'{}' is {}: it takes no index", excerpt(expr.name), what);
  return expr.children.empty();
}

bool ExpressionCompiler::compileParam(const ast::Expr &expr, const ParamSymbol &param) {
  if (!param.slot) {
    push(param.value);
    return true;
  }
  if (use_ == ParamUse::Constant) {
    context_.error(expr.range, "'{}' {}: sizes, indices and states need one value",
                   excerpt(expr.name),
                   param.isSwept ? "is swept over several values" : "differs from case to case");
    return false;
  }
  code_.push_back({OpCode::Param, *param.slot, 0});
  return true;
}

bool ExpressionCompiler::compileVariable(const ast::Expr &expr) {
  if (context_.call != nullptr) {
    context_.errorWithHint(expr.range,
                           fmt::format("'{}' is a variable: a function sees its arguments, params "
                                       "and other functions",
                                       excerpt(expr.name)),
                           "give it to the function as an argument");
    return false;
  }
  const auto id = resolveVariable(context_, expr.name, expr.children, expr.range);
  if (!id)
    return false;
  const auto found = std::ranges::find(scope_, *id);
  if (found == scope_.end()) {
    const std::string &name = context_.model.variable(*id).name;
    if (scope_.empty())
      context_.error(expr.range, "'{}' is a variable: it has no value here", excerpt(name));
    else
      context_.error(expr.range, "'{}' is not in the scope {}", excerpt(name),
                     scopeText(context_.model, scope_));
    return false;
  }
  const auto slot = static_cast<size_t>(found - scope_.begin());
  if (states_.empty())
    code_.push_back({OpCode::State, static_cast<uint32_t>(slot), 0});
  else
    push(states_[slot]);
  return true;
}

void ExpressionCompiler::reportUnknown(const ast::Expr &expr, const Symbol *symbol) {
  if (symbol && symbol->isBroken())
    return;
  if (symbol)
    return context_.error(expr.range, "'{}' is {}, a number is needed here", excerpt(expr.name),
                          symbol->kindName());
  for (const VarId id : scope_)
    if (context_.domains[id.index()]->stateOf.contains(expr.name))
      return context_.error(
          expr.range, "label '{}' stands alone: compare it with a variable, as in {} == {}",
          excerpt(expr.name), excerpt(context_.model.variable(id).name), excerpt(expr.name));
  mpf::reportUnknown(context_, expr.range,
                     fmt::format("nothing is called '{}'", excerpt(expr.name)),
                     context_.symbols.hintFor(expr.name));
}

bool ExpressionCompiler::canBeLabel(const ast::Expr &expr) const {
  if (expr.kind == ast::ExprKind::String)
    return true;
  if (!isBareName(expr))
    return false;
  const Symbol *symbol = context_.symbols.find(expr.name);
  if (symbol == nullptr) // most labels are the names of nothing
    return !isLocalName(context_, expr.name);
  return !symbol->isBroken() && numberKindOf(context_, expr.name, scope_) == nullptr;
}

bool ExpressionCompiler::checkMeaning(const ast::Expr &name, const ast::Expr &variable) {
  const auto stated = isBareName(name) ? statedOf(variable) : std::nullopt;
  return !stated || checkOneMeaning(context_, stated->place, name, scope_);
}

std::optional<ExpressionCompiler::Stated>
ExpressionCompiler::statedOf(const ast::Expr &expr) const {
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

const StatePlace *ExpressionCompiler::choicePlace(const ast::Expr &expr,
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

bool ExpressionCompiler::compileStated(const ast::Expr &expr, const Stated &stated) {
  return stated.argument ? compileArgument(expr, *stated.argument) : compileVariable(expr);
}

std::optional<bool> ExpressionCompiler::compileLabelComparison(OpCode code, const ast::Expr &a,
                                                               const ast::Expr &b) {
  const bool labelFirst = canBeLabel(a);
  const ast::Expr &label = labelFirst ? a : b;
  const ast::Expr &variable = labelFirst ? b : a;
  const auto stated = statedOf(variable);
  if (!stated || !canBeLabel(label))
    return checkMeaning(a, b) && checkMeaning(b, a) ? std::nullopt : std::optional(false);
  const bool isString = label.kind == ast::ExprKind::String;
  if (!isString && !stated->place.domain.stateOf.contains(label.name) &&
      (label.name == "inf" || context_.symbols.find(label.name)))
    return std::nullopt;
  const auto state = stateWithLabel(context_, stated->place, label.name, label.range);
  if (!state)
    return false;
  const size_t left = code_.size();
  if (labelFirst)
    push(*state);
  const size_t middle = code_.size();
  if (!compileStated(variable, *stated))
    return false;
  const size_t right = labelFirst ? middle : code_.size();
  if (!labelFirst)
    push(*state);
  combine(code, left, right);
  return true;
}

} // namespace mpf
