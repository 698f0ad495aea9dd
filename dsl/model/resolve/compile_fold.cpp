// Folds: `sum(i in 0..n if i != j: x[i])`. Their rounds are written out while they are compiled.
#include "dsl/model/resolve/expression_compiler.h"

#include "dsl/model/resolve/index_list.h"
#include "dsl/syntax/ast_names.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mpf {

namespace {

/// How a fold joins its values.
struct FoldRule {
  ast::Function function;
  OpCode join;
  double neutral; ///< the value of no rounds; NaN: there is none
  bool ofTruths;  ///< values count as 0 or 1
};

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr FoldRule kRules[] = {
    {ast::Function::Sum, OpCode::Add, 0, false},
    {ast::Function::Prod, OpCode::Multiply, 1, false},
    {ast::Function::Min, OpCode::Min, kNothing, false},
    {ast::Function::Max, OpCode::Max, kNothing, false},
    {ast::Function::Any, OpCode::Or, 0, true},
    {ast::Function::All, OpCode::And, 1, true},
    {ast::Function::Count, OpCode::Add, 0, true},
};

const FoldRule &ruleOf(ast::Function function) {
  return *std::ranges::find(kRules, function, &FoldRule::function);
}

} // namespace

namespace {

/// Holds a range of Expansion::ranges open.
class OpenedRange {
public:
  OpenedRange(Expansion &expansion, uint64_t rounds) : expansion_(expansion) {
    expansion_.ranges.push_back({0, rounds});
  }
  ~OpenedRange() { expansion_.ranges.pop_back(); }
  OpenedRange(const OpenedRange &) = delete;
  OpenedRange &operator=(const OpenedRange &) = delete;
  void setRound(uint64_t round) { expansion_.ranges.back().round = round; }

private:
  Expansion &expansion_;
};

/// Says how many operations all rounds need if those to come need as many as those so far.
std::string neededSteps(const Expansion &expansion) {
  double share = 0; // of the rounds that are done
  for (auto range = expansion.ranges.rbegin(); range != expansion.ranges.rend(); ++range)
    share = (static_cast<double>(range->round) + share) / static_cast<double>(range->rounds);
  if (share == 0)
    return fmt::format("at least {}", expansion.steps);
  const double needed = static_cast<double>(expansion.steps) / share;
  const double unit = std::pow(10, std::floor(std::log10(needed)) - 1); // of two digits
  return fmt::format("about {:.0f}", std::round(needed / unit) * unit);
}

} // namespace

/// A fold that is being written out.
struct ExpressionCompiler::FoldState {
  const FoldRule &rule;
  size_t start = 0; ///< of its code
  uint64_t rounds = 0;
  /// Conditions of the open rounds that depend on variables or params that vary.
  std::vector<Expression> conditions = {};
  bool isDecided = false; ///< no later round changes the value of any or all
};

bool countStep(BuildContext &context, SourceRange range) {
  Expansion &expansion = context.expansion;
  if (expansion.expanding == 0)
    return true;
  const ModelLimits &limits = context.options.limits;
  ++context.totals.expandedSteps;
  if (++expansion.steps <= limits.maxExpandedSteps &&
      context.totals.expandedSteps <= limits.maxTotalExpanded)
    return true;
  if (expansion.steps > limits.maxExpandedSteps)
    context.beyondLimit(range,
                        fmt::format("with its folds written out, the expression takes {} "
                                    "operations, the limit is {}",
                                    neededSteps(expansion), limits.maxExpandedSteps),
                        "factors over parts of the range, joined by variables, take less");
  else
    context.beyondLimit(range,
                        fmt::format("the folds up to here, written out, take more than {} "
                                    "operations, the limit",
                                    limits.maxTotalExpanded),
                        "a param that is computed once takes less");
  return false;
}

bool ExpressionCompiler::compileFold(const ast::Expr &expr) {
  FoldState state{ruleOf(expr.function), code_.size()};
  if (!foldRange(expr, 0, state))
    return false;
  if (state.rounds > 0)
    return true;
  if (state.rule.neutral != state.rule.neutral) {
    context_.error(expr.range, "{} of no values: no round of its ranges is left",
                   ast::functionName(expr.function));
    return false;
  }
  code_.push(state.rule.neutral);
  return true;
}

bool ExpressionCompiler::foldRange(const ast::Expr &expr, size_t range, FoldState &state) {
  if (range + 1 == expr.children.size())
    return foldBody(expr.children[range], state);
  const ast::Expr &written = expr.children[range];
  const Expanding expanding(context_.expansion);
  if (!checkNesting(context_, written.range))
    return false;
  if (!checkIndexName(context_, written))
    return false;
  const auto list = resolveList(context_, written.children[1]);
  if (!list)
    return false;
  const uint64_t limit = context_.options.limits.maxExpandedSteps;
  if (list->count > limit) {
    context_.beyondLimit(
        written.range,
        fmt::format("this range has {} rounds, a fold has {} at most", list->count, limit));
    return false;
  }
  IndexScope index(context_, written.children[0].name);
  OpenedRange opened(context_.expansion, list->count);
  for (uint64_t i = 0; i < list->count && !state.isDecided; ++i) {
    opened.setRound(i);
    index.set(list->at(i));
    if (!countStep(context_, written.range) || !foldRound(expr, range, state))
      return false;
  }
  return true;
}

bool ExpressionCompiler::foldRound(const ast::Expr &expr, size_t range, FoldState &state) {
  const ast::Expr &written = expr.children[range];
  if (written.children.size() < 3)
    return foldRange(expr, range + 1, state);
  const ast::Expr &condition = written.children[2];
  const size_t start = code_.size();
  if (!compile(condition))
    return false;
  if (const double *value = code_.constantSince(start)) {
    if (std::isnan(*value)) {
      context_.error(condition.range, "the condition is not a number");
      return false;
    }
    const bool holds = *value != 0;
    code_.cut(start);
    return !holds || foldRange(expr, range + 1, state);
  }
  if (state.rule.neutral != state.rule.neutral) {
    context_.errorWithHint(condition.range,
                           fmt::format("the condition of {} depends on a variable or a param that "
                                       "varies: there may be no value",
                                       ast::functionName(expr.function)),
                           "a choice inside gives the value instead: condition ? value : other");
    return false;
  }
  const auto code = code_.since(start);
  state.conditions.push_back({{code.begin(), code.end()}});
  code_.cut(start);
  const bool ok = foldRange(expr, range + 1, state);
  state.conditions.pop_back();
  return ok;
}

bool ExpressionCompiler::foldBody(const ast::Expr &body, FoldState &state) {
  const size_t value = code_.size();
  for (const Expression &condition : state.conditions)
    if (!append(condition.code, body.range))
      return false;
  const size_t start = code_.size();
  if (!compile(body))
    return false;
  if (state.rule.ofTruths) {
    const size_t zero = code_.size();
    code_.push(0);
    code_.combine(OpCode::Or, start, zero);
  }
  for (size_t i = 0; i < state.conditions.size(); ++i) {
    code_.push(state.rule.neutral);
    code_.add(OpCode::Select);
  }
  if (state.rounds++ > 0)
    code_.combine(state.rule.join, state.start, value);
  const double *whole = code_.constantSince(state.start);
  const bool decides = state.rule.join == OpCode::Or || state.rule.join == OpCode::And;
  state.isDecided = whole != nullptr && decides && *whole != state.rule.neutral;
  return true;
}

} // namespace mpf
