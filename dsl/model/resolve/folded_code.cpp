#include "dsl/model/resolve/folded_code.h"

#include "dsl/support/expression/evaluate_expression.h"
#include "dsl/support/expression/wide_arithmetic.h"

#include <algorithm>

namespace mpf {

const double *FoldedCode::constantSince(size_t start) const {
  return code_.size() == start + 1 && code_[start].code == OpCode::Constant ? &code_[start].value
                                                                            : nullptr;
}

bool FoldedCode::fold(size_t start, const WideValue &value) {
  if (!value.isPlain())
    return false;
  code_.resize(start + 1);
  code_[start].value = value.value;
  return true;
}

void FoldedCode::settle(size_t start) {
  const std::span<const Instruction> code = std::span(code_).subspan(start);
  if (constantSince(start) || std::ranges::any_of(code, [](const Instruction &i) {
        return i.code == OpCode::State || i.code == OpCode::Param || isForBuilding(i.code);
      }))
    return;
  double value = 0;
  const FarValues far =
      ExpressionEvaluator().evaluate({{code.begin(), code.end()}}, {}, {}, 0, {&value, 1});
  if (!far.empty())
    return;
  code_.resize(start);
  push(value);
}

void FoldedCode::apply(OpCode code, size_t start) {
  const double *value = constantSince(start);
  if (value == nullptr || !fold(start, applyWideUnary(code, WideValue::of(*value))))
    code_.push_back({code, 0, 0});
}

void FoldedCode::combine(OpCode code, size_t left, size_t right) {
  const double *b = constantSince(right);
  if (!b || right != left + 1 || code_[left].code != OpCode::Constant ||
      !fold(left, applyWideBinary(code, WideValue::of(code_[left].value), WideValue::of(*b))))
    code_.push_back({code, 0, 0});
}

} // namespace mpf
