// Compiles the tree of an expression to a stack program and folds constants.
#include "dsl/model/resolve/expression_compiler.h"

#include "dsl/model/resolve/number_array.h"
#include "dsl/support/check.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <cmath>

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
  case ast::Operator::Modulo:
    return OpCode::Modulo;
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
  case ast::Function::Log10:
    return OpCode::Log10;
  case ast::Function::Sqrt:
    return OpCode::Sqrt;
  case ast::Function::Abs:
    return OpCode::Abs;
  case ast::Function::Floor:
    return OpCode::Floor;
  case ast::Function::Ceil:
    return OpCode::Ceil;
  case ast::Function::Round:
    return OpCode::Round;
  case ast::Function::Erf:
    return OpCode::Erf;
  case ast::Function::Lgamma:
    return OpCode::Lgamma;
  case ast::Function::Min:
    return OpCode::Min;
  case ast::Function::Max:
    return OpCode::Max;
  case ast::Function::State: // no operation: a variable's value is the number of its state
  default:                   // of folds alone
    break;
  }
  MPF_UNREACHABLE("function {} has no operation", static_cast<int>(function));
}

/// Counts how many expressions are being compiled, the outermost one with its steps from 0 on.
class Compiling {
public:
  explicit Compiling(BuildContext &context) : expansion_(context.expansion) {
    if (expansion_.compiling++ == 0)
      expansion_.steps = 0;
  }
  ~Compiling() { --expansion_.compiling; }
  Compiling(const Compiling &) = delete;
  Compiling &operator=(const Compiling &) = delete;

private:
  Expansion &expansion_;
};

} // namespace

bool ExpressionCompiler::compile(const ast::Expr &expr) {
  if (!countStep(context_, expr.range))
    return false;
  switch (expr.kind) {
  case ast::ExprKind::Number:
    code_.push(expr.number);
    return true;
  case ast::ExprKind::Ref:
    return compileRef(expr);
  case ast::ExprKind::String:
    context_.error(expr.range, "the label {} stands alone: compare it with a variable",
                   excerpt(spellString(expr.name)));
    return false;
  case ast::ExprKind::Unary:
    if (const size_t start = code_.size(); compile(expr.children[0]))
      return code_.apply(opCodeOf(expr.op), start), true;
    return false;
  case ast::ExprKind::Binary:
    return compileBinary(expr);
  case ast::ExprKind::Conditional:
    return compileConditional(expr);
  case ast::ExprKind::Call:
    return compileCall(expr);
  case ast::ExprKind::Fold:
    return compileFold(expr);
  case ast::ExprKind::Range: // parts of folds alone
  case ast::ExprKind::Span:
  case ast::ExprKind::List:
    break;
  }
  MPF_UNREACHABLE("expression kind {}", static_cast<int>(expr.kind));
}

bool ExpressionCompiler::compileBinary(const ast::Expr &expr) {
  const OpCode code = opCodeOf(expr.op);
  const ast::Expr &a = expr.children[0], &b = expr.children[1];
  if (isComparison(code))
    if (const auto done = compileLabelComparison(code, a, b))
      return *done;
  const auto statedA = isComparison(code) ? meanings_.statedOf(a) : std::nullopt;
  const auto statedB = isComparison(code) ? meanings_.statedOf(b) : std::nullopt;
  const StatePlace *const choiceA = meanings_.choicePlace(a, statedB);
  const StatePlace *const choiceB = meanings_.choicePlace(b, statedA);
  const size_t left = code_.size();
  if (!compileOperand(a, statedA, choiceA))
    return false;
  // `i > 0 && s[i-1] == up`: if the left side decides, the right side is not checked.
  if (const double *value = code_.constantSince(left);
      value && ((code == OpCode::And && *value == 0) ||
                (code == OpCode::Or && *value != 0 && !std::isnan(*value)))) {
    code_.setConstant(left, code == OpCode::Or ? 1 : 0);
    return true;
  }
  const size_t right = code_.size();
  if (!compileOperand(b, statedB, choiceB))
    return false;
  const auto side = [this](const ast::Expr &operand, const std::optional<Stated> &stated,
                           const StatePlace *choice, size_t begin, size_t end) {
    ComparedSide compared{operand};
    const Instruction &only = code_[begin];
    const bool isOne = end == begin + 1;
    if (stated && !stated->argument && isOne && only.code == OpCode::State)
      compared.place.emplace(placeOf(context_, scope_[only.slot])); // its own name, not the first's
    else if (stated)
      compared.place.emplace(stated->place);
    if (choice)
      compared.place.emplace(*choice);
    if (isOne && only.code == OpCode::Constant)
      compared.constant = only.value;
    return compared;
  };
  if (isComparison(code) && !checkComparison(context_, code, side(a, statedA, choiceA, left, right),
                                             side(b, statedB, choiceB, right, code_.size())))
    return false;
  code_.combine(code, left, right);
  return true;
}

bool ExpressionCompiler::compileConditional(const ast::Expr &expr, const StatePlace *place) {
  const auto branch = [&](size_t child) {
    return place ? compileState(expr.children[child], *place) : compile(expr.children[child]);
  };
  const size_t start = code_.size();
  if (!compile(expr.children[0]))
    return false;
  code_.settle(start);
  if (const double *value = code_.constantSince(start)) {
    if (std::isnan(*value)) // and so is the entry
      return true;
    const bool chooseFirst = *value != 0;
    code_.cut(start);
    return branch(chooseFirst ? 1 : 2);
  }
  if (!branch(1) || !branch(2))
    return false;
  code_.add(OpCode::Select);
  return true;
}

bool ExpressionCompiler::compileCall(const ast::Expr &expr) {
  if (expr.function == ast::Function::None)
    return compileDefined(expr);
  if (expr.function == ast::Function::State) {
    if (const auto stated = meanings_.statedOf(expr.children[0]))
      return compileStated(expr.children[0], *stated);
    context_.error(expr.children[0].range, "state(...) is for a variable: the number of its state");
    return false;
  }
  if (expr.function == ast::Function::Size) {
    const auto size = resolveSize(context_, expr);
    return size && (code_.push(static_cast<double>(*size)), true);
  }
  if (expr.function == ast::Function::Nonzero) {
    context_.errorWithHint(expr.range, "nonzero(...) is a list, a number is needed here",
                           "a fold or 'for' goes over it: sum(i in nonzero(w): w[i])");
    return false;
  }
  const OpCode code = opCodeOf(expr.function);
  const size_t left = code_.size();
  if (!compile(expr.children[0]))
    return false;
  if (code != OpCode::Min && code != OpCode::Max)
    return code_.apply(code, left), true;
  for (size_t i = 1; i < expr.children.size(); ++i) {
    const size_t right = code_.size();
    if (!compile(expr.children[i]))
      return false;
    code_.combine(code, left, right);
  }
  return true;
}

std::optional<Expression> compileExpression(BuildContext &context, const ast::Expr &expr,
                                            std::span<const VarId> scope, ParamUse use) {
  const Compiling compiling(context);
  ExpressionCompiler compiler(context, scope, use);
  if (!compiler.compile(expr))
    return std::nullopt;
  return compiler.take();
}

std::optional<Expression> compileAt(BuildContext &context, const ast::Expr &expr,
                                    std::span<const VarId> scope,
                                    std::span<const uint32_t> states) {
  const Compiling compiling(context);
  ExpressionCompiler compiler(context, scope, ParamUse::Any, states);
  if (!compiler.compile(expr))
    return std::nullopt;
  return compiler.take();
}

} // namespace mpf
