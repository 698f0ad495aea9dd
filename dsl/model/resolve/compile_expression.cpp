// Compiles the tree of an expression to a stack program and folds constants.
#include "dsl/model/resolve/language_expression.h"

#include "dsl/model/resolve/check_comparison.h"
#include "dsl/model/resolve/state_ref.h"
#include "dsl/model/resolve/variable_ref.h"
#include "dsl/support/check.h"
#include "dsl/support/expression/wide_arithmetic.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <limits>

namespace mpf {

namespace {

OpCode opCodeOf(ast::Operator op) {
  switch (op) {
  case ast::Operator::Negate:
    return OpCode::Negate;
  case ast::Operator::Not:
    return OpCode::Not;
  case ast::Operator::Or:
    return OpCode::Or;
  case ast::Operator::And:
    return OpCode::And;
  case ast::Operator::Equal:
    return OpCode::Equal;
  case ast::Operator::NotEqual:
    return OpCode::NotEqual;
  case ast::Operator::Less:
    return OpCode::Less;
  case ast::Operator::LessEqual:
    return OpCode::LessEqual;
  case ast::Operator::Greater:
    return OpCode::Greater;
  case ast::Operator::GreaterEqual:
    return OpCode::GreaterEqual;
  case ast::Operator::Add:
    return OpCode::Add;
  case ast::Operator::Subtract:
    return OpCode::Subtract;
  case ast::Operator::Multiply:
    return OpCode::Multiply;
  case ast::Operator::Divide:
    return OpCode::Divide;
  case ast::Operator::Power:
    return OpCode::Power;
  case ast::Operator::None:
    break;
  }
  MPF_UNREACHABLE("operator {} has no operation", static_cast<int>(op));
}

OpCode opCodeOf(ast::Function function) {
  switch (function) {
  case ast::Function::Exp:
    return OpCode::Exp;
  case ast::Function::Log:
    return OpCode::Log;
  case ast::Function::Log2:
    return OpCode::Log2;
  case ast::Function::Sqrt:
    return OpCode::Sqrt;
  case ast::Function::Abs:
    return OpCode::Abs;
  case ast::Function::Min:
    return OpCode::Min;
  case ast::Function::Max:
    return OpCode::Max;
  case ast::Function::State: // no operation: a variable's value is the number of its state
  case ast::Function::None:
    break;
  }
  MPF_UNREACHABLE("function {} has no operation", static_cast<int>(function));
}

bool isComparison(OpCode code) { return code >= OpCode::Equal && code <= OpCode::GreaterEqual; }

class Compiler {
public:
  Compiler(BuildContext &context, std::span<const VarId> scope, ParamUse use)
      : context_(context), scope_(scope), use_(use) {}

  /// Appends code that computes `expr`; returns false after reporting.
  bool compile(const ast::Expr &expr) {
    switch (expr.kind) {
    case ast::ExprKind::Number:
      push(expr.number);
      return true;
    case ast::ExprKind::Ref:
      return compileRef(expr);
    case ast::ExprKind::String:
      context_.error(expr.range, "the label {} stands alone: compare it with a variable",
                     excerpt(spellString(expr.name)));
      return false;
    case ast::ExprKind::Unary:
      return compileUnary(opCodeOf(expr.op), expr.children[0]);
    case ast::ExprKind::Binary:
      return compileBinary(expr);
    case ast::ExprKind::Conditional:
      return compileConditional(expr);
    case ast::ExprKind::Call:
      return compileCall(expr);
    }
    MPF_UNREACHABLE("expression kind {}", static_cast<int>(expr.kind));
  }

  Expression take() { return {std::move(code_)}; }

private:
  void push(double value) { code_.push_back({OpCode::Constant, 0, value}); }

  /// Returns the constant to which all code since `start` was folded; null if it was not.
  const double *constantSince(size_t start) const {
    return code_.size() == start + 1 && code_[start].code == OpCode::Constant ? &code_[start].value
                                                                              : nullptr;
  }

  bool compileUnary(OpCode code, const ast::Expr &operand) {
    const size_t start = code_.size();
    if (!compile(operand))
      return false;
    const double *value = constantSince(start);
    if (value == nullptr || !fold(start, applyWideUnary(code, WideValue::of(*value))))
      code_.push_back({code, 0, 0});
    return true;
  }

  /// Replaces all code from `start` on by the constant `value`. Returns false if no normal double
  /// holds it: the evaluation of the expression decides then.
  bool fold(size_t start, const WideValue &value) {
    if (!value.isPlain())
      return false;
    code_.resize(start + 1);
    code_[start].value = value.value;
    return true;
  }

  /// Appends or folds an operation on the two values whose code starts at `left` and `right`.
  void combine(OpCode code, size_t left, size_t right) {
    const double *b = constantSince(right);
    if (!b || right != left + 1 || code_[left].code != OpCode::Constant ||
        !fold(left, applyWideBinary(code, WideValue::of(code_[left].value), WideValue::of(*b))))
      code_.push_back({code, 0, 0});
  }

  bool compileBinary(const ast::Expr &expr) {
    const OpCode code = opCodeOf(expr.op);
    const ast::Expr &a = expr.children[0], &b = expr.children[1];
    if (isComparison(code))
      if (const auto done = compileLabelComparison(code, a, b))
        return *done;
    const size_t left = code_.size();
    if (!compileOperand(code, a))
      return false;
    // `i > 0 && s[i-1] == up`: if the left side decides, the right side is not checked.
    if (const double *value = constantSince(left);
        value && ((code == OpCode::And && *value == 0) || (code == OpCode::Or && *value != 0))) {
      code_[left].value = code == OpCode::Or ? 1 : 0;
      return true;
    }
    const size_t right = code_.size();
    if (!compileOperand(code, b))
      return false;
    if (isComparison(code) && !checkComparison(context_, code, comparedSide(a, left, right),
                                               comparedSide(b, right, code_.size())))
      return false;
    combine(code, left, right);
    return true;
  }

  /// Compiles an operand. A variable in a comparison skips checkNumber(): checkComparison() looks
  /// at both sides instead.
  bool compileOperand(OpCode code, const ast::Expr &expr) {
    return isComparison(code) && variableOf(expr) != nullptr ? compileVariable(expr)
                                                             : compile(expr);
  }

  /// Describes `expr`, whose code is in [begin, end), for checkComparison().
  ComparedSide comparedSide(const ast::Expr &expr, size_t begin, size_t end) const {
    const Instruction &first = code_[begin];
    if (end != begin + 1)
      return {expr};
    if (first.code == OpCode::Constant)
      return {expr, {}, first.value};
    if (first.code == OpCode::State && expr.kind == ast::ExprKind::Ref)
      return {expr, scope_[first.slot]};
    return {expr};
  }

  bool compileConditional(const ast::Expr &expr) {
    const size_t start = code_.size();
    if (!compile(expr.children[0]))
      return false;
    if (const double *value = constantSince(start)) {
      const bool chooseFirst = *value != 0;
      code_.pop_back();
      return compile(expr.children[chooseFirst ? 1 : 2]);
    }
    if (!compile(expr.children[1]) || !compile(expr.children[2]))
      return false;
    code_.push_back({OpCode::Select, 0, 0});
    return true;
  }

  bool compileCall(const ast::Expr &expr) {
    if (expr.function == ast::Function::State) {
      if (variableOf(expr.children[0]))
        return compileVariable(expr.children[0]);
      context_.error(expr.children[0].range,
                     "state(...) is for a variable: the number of its state");
      return false;
    }
    const OpCode code = opCodeOf(expr.function);
    if (code != OpCode::Min && code != OpCode::Max)
      return compileUnary(code, expr.children[0]);
    const size_t left = code_.size();
    if (!compile(expr.children[0]))
      return false;
    for (size_t i = 1; i < expr.children.size(); ++i) {
      const size_t right = code_.size();
      if (!compile(expr.children[i]))
        return false;
      combine(code, left, right);
    }
    return true;
  }

  bool compileRef(const ast::Expr &expr) {
    if (const LoopIndex *index = findLoopIndex(context_, expr.name))
      return noIndices(expr, "a loop index") && (push(static_cast<double>(index->value)), true);
    const Symbol *symbol = context_.symbols.find(expr.name);
    if (symbol && std::holds_alternative<ParamSymbol>(symbol->what))
      return noIndices(expr, "a param") && compileParam(expr, std::get<ParamSymbol>(symbol->what));
    if (symbol && std::holds_alternative<VariableSymbol>(symbol->what))
      return compileVariable(expr) && checkNumber(context_, scope_[code_.back().slot], expr.range);
    if (expr.name == "inf" && !symbol) {
      push(std::numeric_limits<double>::infinity());
      return noIndices(expr, "a number");
    }
    reportUnknown(expr, symbol);
    return false;
  }

  bool noIndices(const ast::Expr &expr, const char *what) {
    if (!expr.children.empty())
      context_.error(expr.range, "'{}' is {}: it takes no index", excerpt(expr.name), what);
    return expr.children.empty();
  }

  bool compileParam(const ast::Expr &expr, const ParamSymbol &param) {
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

  bool compileVariable(const ast::Expr &expr) {
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
    code_.push_back({OpCode::State, static_cast<uint32_t>(found - scope_.begin()), 0});
    return true;
  }

  void reportUnknown(const ast::Expr &expr, const Symbol *symbol) {
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

  static bool isBareName(const ast::Expr &expr) {
    return expr.kind == ast::ExprKind::Ref && expr.children.empty();
  }

  /// Whether the expression can be a label: a string, or a bare name that is no number here.
  bool canBeLabel(const ast::Expr &expr) const {
    if (expr.kind == ast::ExprKind::String)
      return true;
    if (!isBareName(expr))
      return false;
    const Symbol *symbol = context_.symbols.find(expr.name);
    if (symbol == nullptr) // most labels are the names of nothing
      return findLoopIndex(context_, expr.name) == nullptr;
    return !symbol->isBroken() && numberKindOf(context_, expr.name, scope_) == nullptr;
  }

  /// Returns false after reporting a name that is both a number and a label of `variable`.
  bool checkMeaning(const ast::Expr &name, const ast::Expr &variable) {
    const VariableSymbol *symbol = isBareName(name) ? variableOf(variable) : nullptr;
    return symbol == nullptr || checkOneMeaning(context_, symbol->first, name, scope_);
  }

  const VariableSymbol *variableOf(const ast::Expr &expr) const {
    return expr.kind == ast::ExprKind::Ref && !findLoopIndex(context_, expr.name)
               ? context_.symbols.findAs<VariableSymbol>(expr.name)
               : nullptr;
  }

  /// Compiles `s[i][j] == up`, in either order: the label becomes the number of its state. Returns
  /// nothing for other comparisons, else the result of compile().
  std::optional<bool> compileLabelComparison(OpCode code, const ast::Expr &a, const ast::Expr &b) {
    const bool labelFirst = canBeLabel(a);
    const ast::Expr &label = labelFirst ? a : b;
    const ast::Expr &variable = labelFirst ? b : a;
    const VariableSymbol *symbol = variableOf(variable);
    if (!symbol || !canBeLabel(label))
      return checkMeaning(a, b) && checkMeaning(b, a) ? std::nullopt : std::optional(false);
    const DomainInfo &domain = *context_.domains[symbol->first.index()];
    const bool isString = label.kind == ast::ExprKind::String;
    if (!isString && !domain.stateOf.contains(label.name) &&
        (label.name == "inf" || context_.symbols.find(label.name)))
      return std::nullopt;
    const auto state = stateWithLabel(context_, symbol->first, label.name, label.range);
    if (!state)
      return false;
    if (labelFirst)
      push(*state);
    if (!compileVariable(variable))
      return false;
    if (!labelFirst)
      push(*state);
    code_.push_back({code, 0, 0});
    return true;
  }

  BuildContext &context_;
  std::span<const VarId> scope_;
  ParamUse use_;
  std::vector<Instruction> code_;
};

} // namespace

std::optional<Expression> compileExpression(BuildContext &context, const ast::Expr &expr,
                                            std::span<const VarId> scope, ParamUse use) {
  Compiler compiler(context, scope, use);
  if (!compiler.compile(expr))
    return std::nullopt;
  return compiler.take();
}

} // namespace mpf
