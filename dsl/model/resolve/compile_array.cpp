// Entries of arrays in expressions: `A[i][x]`.
//
// The place of an entry is computed by the operations of expressions. Within checks an index that
// depends on variables; the place is not a number if one is outside.
#include "dsl/model/resolve/expression_compiler.h"

#include "dsl/model/resolve/number_array.h"
#include "dsl/model/resolve/state_ref.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

/// Returns false after reporting an index that depends on a param that varies.
bool checkNoParam(BuildContext &context, std::span<const Instruction> code, const ast::Expr &expr) {
  const auto param = std::ranges::find(code, OpCode::Param, &Instruction::code);
  if (param == code.end())
    return true;
  context.error(expr.range, "this index depends on param '{}', which differs from case to case",
                excerpt(context.model.params[param->slot].name));
  return false;
}

} // namespace

bool ExpressionCompiler::compileEntry(const ast::Expr &expr, const ArrayPtr &array) {
  const size_t axes = array->shape.size();
  if (const size_t given = expr.children.size(); given != axes) {
    context_.errorWithHint(
        expr.range,
        fmt::format("'{}' has {} {}, it has {} {} here", excerpt(expr.name), axes,
                    axes == 1 ? "axis" : "axes", given == 0 ? "no" : std::to_string(given),
                    given <= 1 ? "index" : "indices"),
        given < axes
            ? "an array is the whole value of a factor or prob, or a list; here a number is needed"
            : "");
    return false;
  }
  const size_t start = code_.size();
  std::optional<ArrayView> known = ArrayView(array); // while all indices are constants
  uint64_t place = 0;
  for (size_t axis = 0; axis < axes; ++axis) {
    const uint64_t length = known ? known->length(0) : array->shape[axis];
    if (!known) {
      code_.push(static_cast<double>(array->shape[axis]));
      code_.add(OpCode::Multiply);
    }
    const size_t index = code_.size();
    if (!compileIndexOf(expr.children[axis], *array, axis, expr.name))
      return false;
    if (!checkNoParam(context_, code_.since(index), expr.children[axis]))
      return false;
    code_.settle(index);
    const double *const constant = code_.constantSince(index);
    if (constant && !checkIndex(context_, *constant, length, expr.name, expr.children[axis].range))
      return false;
    if (constant && known) {
      place = place * array->shape[axis] + static_cast<uint64_t>(*constant);
      known->fix(static_cast<uint64_t>(*constant));
      code_.cut(index);
      continue;
    }
    const bool isState = code_.size() == index + 1 && code_[index].code == OpCode::State;
    const bool isAlwaysWithin =
        isState && context_.model.variable(scope_[code_[index].slot]).extent <= length;
    if (!constant && !isAlwaysWithin)
      code_.add(OpCode::Within, static_cast<uint32_t>(length));
    if (known && axis > 0)
      code_.push(static_cast<double>(place * array->shape[axis]));
    if (axis > 0)
      code_.add(OpCode::Add);
    known.reset();
  }
  if (!known) {
    code_.add(OpCode::Entry, slotOf(context_, array));
    return true;
  }
  code_.cut(start);
  code_.push(known->numbers().front());
  if (std::isnan(code_.back().value)) {
    context_.errorWithHint(expr.range,
                           fmt::format("this entry of '{}' is no number", excerpt(expr.name)),
                           "a missing number of a file can only be observed: observe x = ...");
    return false;
  }
  return true;
}

bool ExpressionCompiler::compileIndexOf(const ast::Expr &expr, const NumberArray &array,
                                        size_t axis, const std::string &name) {
  const DomainPtr &domain = array.domains[axis];
  return domain == nullptr || domain->labels.empty() ? compile(expr)
                                                     : compileState(expr, {*domain, name});
}

bool ExpressionCompiler::compileState(const ast::Expr &expr, const StatePlace &place) {
  if (expr.kind == ast::ExprKind::Conditional)
    return compileConditional(expr, &place);
  const bool isName = expr.kind == ast::ExprKind::Ref && expr.children.empty();
  if (isName && !checkOneMeaning(context_, place, expr, scope_))
    return false;
  if (meanings_.canBeLabel(expr) &&
      (place.domain.stateOf.contains(expr.name) || expr.kind == ast::ExprKind::String ||
       context_.symbols.find(expr.name) == nullptr)) {
    const auto state = stateWithLabel(context_, place, expr.name, expr.range);
    return state && (code_.push(*state), true);
  }
  if (const auto stated = meanings_.statedOf(expr)) {
    const DomainInfo &own = stated->place.domain;
    if (own.labels.empty() && !place.domain.numbers.arePlaces()) {
      context_.errorWithHint(
          expr.range,
          fmt::format("'{}' has numbers for states, and so has '{}': the labels are numbers",
                      excerpt(expr.name), excerpt(place.name)),
          "state(...) is the number of the state, which counts from 0");
      return false;
    }
    if (own.labels.empty() || own.labels == place.domain.labels)
      return compileStated(expr, *stated);
    context_.errorWithHint(expr.range,
                           fmt::format("the labels of '{}' are not those of '{}'",
                                       excerpt(expr.name), excerpt(place.name)),
                           "state(...) is the number of the state");
    return false;
  }
  const size_t start = code_.size();
  if (!compile(expr))
    return false;
  const double *const number = code_.constantSince(start);
  if (number == nullptr || place.domain.numbers.arePlaces())
    return true;
  const std::string text = numberText(expr);
  const auto state = stateWithNumber(context_, place, {*number, text}, expr.range,
                                     text.empty() ? "an axis with a length, not a domain, has "
                                                    "numbers for indices: [size(domain)]"
                                                  : "");
  if (state)
    code_.setConstant(start, *state);
  return state.has_value();
}

std::optional<Expression> compileIndex(BuildContext &context, const ast::Expr &expr,
                                       const NumberArray &array, size_t axis,
                                       const std::string &name) {
  ExpressionCompiler compiler(context, {}, ParamUse::Constant);
  if (!compiler.compileIndexOf(expr, array, axis, name))
    return std::nullopt;
  return compiler.take();
}

} // namespace mpf
