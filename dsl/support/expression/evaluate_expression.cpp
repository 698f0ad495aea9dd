#include "dsl/support/expression/evaluate_expression.h"

#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {

/// The states of one variable at entries begin, begin + 1, ...: runs of `stride` equal states.
void fillStates(double *out, size_t count, uint64_t begin, uint64_t stride, uint32_t extent) {
  auto state = static_cast<uint32_t>(begin / stride % extent);
  uint64_t left = stride - begin % stride;
  for (size_t i = 0; i < count; ++i) {
    out[i] = state;
    if (--left == 0) {
      left = stride;
      state = state + 1 == extent ? 0 : state + 1;
    }
  }
}

/// Stack levels a program needs.
size_t depthOf(const Expression &expression) {
  size_t depth = 0, deepest = 0;
  for (const Instruction &instruction : expression.code) {
    if (instruction.code <= OpCode::Param)
      deepest = std::max(deepest, ++depth);
    else if (instruction.code == OpCode::Select)
      depth -= 2;
    else if (instruction.code >= OpCode::Or)
      depth -= 1;
  }
  MPF_CHECK(depth == 1, "an expression leaves {} values, must leave 1", depth);
  return deepest;
}

} // namespace

template <class Push>
void ExpressionEvaluator::run(const Expression &expression, std::span<double> out,
                              const Push &push) {
  if (expression.isConstant()) {
    std::ranges::fill(out, expression.constant());
    return;
  }
  stack_.resize(std::max(stack_.size(), depthOf(expression) * kBlock));
  for (size_t at = 0; at < out.size(); at += kBlock)
    runBlock(expression, at, out.subspan(at, std::min(kBlock, out.size() - at)), push);
}

template <class Push>
void ExpressionEvaluator::runBlock(const Expression &expression, size_t begin,
                                   std::span<double> out, const Push &push) {
  const size_t count = out.size();
  size_t depth = 0;
  for (const Instruction &instruction : expression.code) {
    switch (instruction.code) {
    case OpCode::Constant:
      std::fill_n(level(depth++), count, instruction.value);
      break;
    case OpCode::State:
    case OpCode::Param:
      push(instruction, begin, std::span(level(depth++), count));
      break;
    case OpCode::Select: {
      depth -= 2;
      double *condition = level(depth - 1);
      const double *first = level(depth), *second = level(depth + 1);
      for (size_t i = 0; i < count; ++i)
        condition[i] = condition[i] != 0 ? first[i] : second[i];
      break;
    }
    default:
      if (instruction.code < OpCode::Or) {
        double *a = level(depth - 1);
        for (size_t i = 0; i < count; ++i)
          a[i] = applyUnary(instruction.code, a[i]);
      } else {
        --depth;
        double *a = level(depth - 1);
        const double *b = level(depth);
        for (size_t i = 0; i < count; ++i)
          a[i] = applyBinary(instruction.code, a[i], b[i]);
      }
    }
  }
  std::copy_n(level(0), count, out.data());
}

void ExpressionEvaluator::evaluate(const Expression &expression, std::span<const uint32_t> extents,
                                   std::span<const double> params, uint64_t begin,
                                   std::span<double> out) {
  std::vector<uint64_t> strides(extents.size(), 1);
  for (size_t i = extents.size(); i-- > 1;)
    strides[i - 1] = strides[i] * extents[i];
  run(expression, out, [&](const Instruction &what, size_t at, std::span<double> target) {
    if (what.code == OpCode::Param)
      std::ranges::fill(target, params[what.slot]);
    else
      fillStates(target.data(), target.size(), begin + at, strides[what.slot], extents[what.slot]);
  });
}

void ExpressionEvaluator::evaluateCases(const Expression &expression,
                                        std::span<const uint32_t> states,
                                        std::span<const double *const> params,
                                        std::span<double> out) {
  run(expression, out, [&](const Instruction &what, size_t at, std::span<double> target) {
    if (what.code == OpCode::Param)
      std::copy_n(params[what.slot] + at, target.size(), target.begin());
    else
      std::ranges::fill(target, static_cast<double>(states[what.slot]));
  });
}

} // namespace mpf
