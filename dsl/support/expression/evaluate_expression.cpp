#include "dsl/support/expression/evaluate_expression.h"

#include "dsl/support/check.h"
#include "dsl/support/system/watched_call.h"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>

namespace mpf {

namespace {

/// Writes the states of one variable at entries begin, begin + 1, ...: runs of `stride` equal
/// states.
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

/// Returns the stack levels that a program needs.
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

constexpr double kNoIndex = std::numeric_limits<double>::quiet_NaN();

} // namespace

double EntryArray::at(uint64_t place) const {
  if (rowEnds.empty())
    return (*numbers)[place];
  const uint64_t row = place / rowLength;
  const uint64_t begin = row == 0 ? 0 : rowEnds[row - 1];
  const uint64_t number = begin + place % rowLength;
  return number < rowEnds[row] ? (*numbers)[number] : kNoIndex;
}

void ExpressionEvaluator::readEntries(const Instruction &instruction, std::span<double> values) {
  MPF_CHECK(arrays_ != nullptr, "an expression reads array {}, and there is none",
            instruction.slot);
  const bool isEntry = instruction.code == OpCode::Entry;
  const EntryArray *const array = isEntry ? &arrays_->arrays.at(instruction.slot) : nullptr;
  const auto end = isEntry ? static_cast<double>(array->places()) : instruction.slot;
  marked_.resize(kBlock, false);
  for (size_t i = 0; i < values.size(); ++i) {
    const double index = values[i];
    if (!(index >= 0 && index < end && index == std::floor(index)))
      values[i] = kNoIndex;
    else if (isEntry)
      values[i] = array->at(static_cast<uint64_t>(index));
    if (std::isnan(values[i]))
      marked_[i] = true;
  }
}

void ExpressionEvaluator::collectUndefined(size_t begin) {
  for (size_t i = 0; i < marked_.size(); ++i)
    if (marked_[i]) {
      arrays_->undefined.push_back(begin + i);
      marked_[i] = false;
    }
}

template <class Push>
FarValues ExpressionEvaluator::run(const Expression &expression, std::span<double> out,
                                   const Push &push) {
  FarValues far;
  if (expression.isConstant()) {
    std::ranges::fill(out, expression.constant());
    return far;
  }
  stack_.resize(std::max(stack_.size(), depthOf(expression) * kBlock));
  for (size_t at = 0; at < out.size(); at += kBlock) {
    const std::span<double> block = out.subspan(at, std::min(kBlock, out.size() - at));
    throwIfCancelled();
    std::feclearexcept(FE_OVERFLOW | FE_UNDERFLOW);
    runBlock(expression, at, block, push);
    collectUndefined(at);
    if (std::fetestexcept(FE_OVERFLOW | FE_UNDERFLOW) == 0) [[likely]]
      continue;
    for (size_t i = at; i < at + block.size(); ++i) {
      const WideValue value = runWide(expression, i, push);
      out[i] = value.isPlain() ? value.value : value.number().nearest();
      if (!value.isPlain())
        far.push_back({i, value.number()});
    }
    std::fill(marked_.begin(), marked_.end(), false); // the block was marked before
  }
  return far;
}

template <class Push>
WideValue ExpressionEvaluator::runWide(const Expression &expression, size_t at, const Push &push) {
  std::vector<WideValue> &stack = wideStack_;
  stack.clear();
  for (const Instruction &instruction : expression.code) {
    if (instruction.code <= OpCode::Param) {
      double value = instruction.value;
      if (instruction.code != OpCode::Constant)
        push(instruction, at, std::span(&value, 1));
      stack.push_back(WideValue::of(value));
    } else if (instruction.code == OpCode::Select) {
      const WideValue condition = stack.end()[-3];
      if (!condition.isLost() && !std::isnan(condition.value))
        stack.end()[-3] = condition.value != 0 ? stack.end()[-2] : stack.end()[-1];
      stack.resize(stack.size() - 2);
    } else if (isForBuilding(instruction.code)) {
      double value = stack.back().isPlain() ? stack.back().value : kNoIndex;
      readEntries(instruction, std::span(&value, 1));
      stack.back() = WideValue::of(value);
    } else if (instruction.code < OpCode::Or) {
      stack.back() = applyWideUnary(instruction.code, stack.back());
    } else {
      stack.end()[-2] = applyWideBinary(instruction.code, stack.end()[-2], stack.back());
      stack.pop_back();
    }
  }
  return stack.back();
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
      for (size_t i = 0; i < count; ++i) {
        const double chosen = condition[i] != 0 ? first[i] : second[i];
        condition[i] = std::isnan(condition[i]) ? condition[i] : chosen;
      }
      break;
    }
    case OpCode::Within:
    case OpCode::Entry:
      readEntries(instruction, std::span(level(depth - 1), count));
      break;
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

FarValues ExpressionEvaluator::evaluate(const Expression &expression,
                                        std::span<const uint32_t> extents,
                                        std::span<const double> params, uint64_t begin,
                                        std::span<double> out, EntryArrays *arrays) {
  arrays_ = arrays;
  std::vector<uint64_t> strides(extents.size(), 1);
  for (size_t i = extents.size(); i-- > 1;)
    strides[i - 1] = strides[i] * extents[i];
  return run(expression, out, [&](const Instruction &what, size_t at, std::span<double> target) {
    if (what.code == OpCode::Param)
      std::ranges::fill(target, params[what.slot]);
    else
      fillStates(target.data(), target.size(), begin + at, strides[what.slot], extents[what.slot]);
  });
}

FarValues ExpressionEvaluator::evaluateCases(const Expression &expression,
                                             std::span<const uint32_t> states,
                                             std::span<const double *const> params,
                                             std::span<double> out) {
  arrays_ = nullptr;
  return run(expression, out, [&](const Instruction &what, size_t at, std::span<double> target) {
    if (what.code == OpCode::Param)
      std::copy_n(params[what.slot] + at, target.size(), target.begin());
    else
      std::ranges::fill(target, static_cast<double>(states[what.slot]));
  });
}

} // namespace mpf
