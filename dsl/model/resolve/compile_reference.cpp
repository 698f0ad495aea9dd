// Names in expressions: indices, params, variables, and labels in comparisons.
#include "dsl/model/resolve/expression_compiler.h"

#include "dsl/model/resolve/state_ref.h"
#include "dsl/model/resolve/variable_ref.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <limits>

namespace mpf {

bool checkNoIndices(BuildContext &context, const ast::Expr &expr, const char *what) {
  if (!expr.children.empty())
    context.error(expr.range, "'{}' is {}: it takes no index", excerpt(expr.name), what);
  return expr.children.empty();
}

namespace {

/// Reports a name that is no number, unless its declaration is broken.
void reportNoNumber(BuildContext &context, std::span<const VarId> scope, const ast::Expr &expr,
                    const Symbol *symbol) {
  if (symbol && symbol->isBroken())
    return;
  if (symbol)
    return context.error(expr.range, "'{}' is {}, a number is needed here", excerpt(expr.name),
                         symbol->kindName());
  for (const VarId id : scope)
    if (context.domains[id.index()]->stateOf.contains(expr.name))
      return context.error(
          expr.range, "label '{}' stands alone: compare it with a variable, as in {} == {}",
          excerpt(expr.name), excerpt(context.model.variable(id).name), excerpt(expr.name));
  reportUnknown(context, expr.range, fmt::format("nothing is called '{}'", excerpt(expr.name)),
                context.symbols.hintFor(expr.name));
}

} // namespace

bool ExpressionCompiler::compileRef(const ast::Expr &expr) {
  if (const LoopIndex *index = findLoopIndex(context_, expr.name))
    return checkNoIndices(context_, expr, "a loop index") &&
           (code_.push(static_cast<double>(index->value)), true);
  if (const CallArgument *argument = findArgument(context_, expr.name))
    return compileArgument(expr, *argument);
  if (const auto binding = findBinding(context_, expr.name))
    return compileBinding(expr, *binding);
  const Symbol *symbol = context_.symbols.find(expr.name);
  if (symbol && std::holds_alternative<ParamSymbol>(symbol->what))
    return checkNoIndices(context_, expr, "a param") &&
           compileParam(expr, std::get<ParamSymbol>(symbol->what));
  if (symbol && std::holds_alternative<ArrayPtr>(symbol->what))
    return compileEntry(expr, std::get<ArrayPtr>(symbol->what));
  if (symbol && std::holds_alternative<VariableSymbol>(symbol->what))
    return compileVariable(expr) && (code_.back().code != OpCode::State ||
                                     checkNumber(context_, scope_[code_.back().slot], expr.range));
  if (expr.name == "inf" && !symbol) {
    code_.push(std::numeric_limits<double>::infinity());
    return checkNoIndices(context_, expr, "a number");
  }
  reportNoNumber(context_, scope_, expr, symbol);
  return false;
}

bool ExpressionCompiler::compileParam(const ast::Expr &expr, const ParamSymbol &param) {
  if (!param.slot) {
    code_.push(param.value);
    return true;
  }
  if (use_ == ParamUse::Constant) {
    context_.error(expr.range, "'{}' {}: sizes, indices and states need one value",
                   excerpt(expr.name),
                   param.isSwept ? "is swept over several values" : "differs from case to case");
    return false;
  }
  code_.add(OpCode::Param, *param.slot);
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
    code_.add(OpCode::State, static_cast<uint32_t>(slot));
  else
    code_.push(states_[slot]);
  return true;
}

bool ExpressionCompiler::compileStated(const ast::Expr &expr, const Stated &stated) {
  return stated.argument ? compileArgument(expr, *stated.argument) : compileVariable(expr);
}

std::optional<bool> ExpressionCompiler::compileLabelComparison(OpCode code, const ast::Expr &a,
                                                               const ast::Expr &b) {
  const bool labelFirst = meanings_.canBeLabel(a);
  const ast::Expr &label = labelFirst ? a : b;
  const ast::Expr &variable = labelFirst ? b : a;
  const auto stated = meanings_.statedOf(variable);
  if (!stated || !meanings_.canBeLabel(label))
    return meanings_.checkMeaning(a, b) && meanings_.checkMeaning(b, a) ? std::nullopt
                                                                        : std::optional(false);
  const bool isString = label.kind == ast::ExprKind::String;
  if (!isString && !stated->place.domain.stateOf.contains(label.name) &&
      (label.name == "inf" || context_.symbols.find(label.name)))
    return std::nullopt;
  const auto state = stateWithLabel(context_, stated->place, label.name, label.range);
  if (!state)
    return false;
  const size_t left = code_.size();
  if (labelFirst)
    code_.push(*state);
  const size_t middle = code_.size();
  if (!compileStated(variable, *stated))
    return false;
  const size_t right = labelFirst ? middle : code_.size();
  if (!labelFirst)
    code_.push(*state);
  code_.combine(code, left, right);
  return true;
}

} // namespace mpf
