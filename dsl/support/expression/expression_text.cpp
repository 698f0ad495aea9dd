#include "dsl/support/expression/expression_text.h"

#include "dsl/support/check.h"
#include "dsl/support/number_text.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>
#include <vector>

namespace mpf {

namespace {

/// A name for texts of stages, and the operator or function of the language.
struct OpCodeText {
  OpCode code;
  std::string_view name;
  std::string_view written;
  bool isFunction = false;
};

constexpr std::array<OpCodeText, 34> kTexts = {{
    {OpCode::Constant, "constant", ""},
    {OpCode::State, "state", ""},
    {OpCode::Param, "param", ""},
    {OpCode::Negate, "negate", "-"},
    {OpCode::Not, "not", "!"},
    {OpCode::Exp, "exp", "exp", true},
    {OpCode::Log, "log", "log", true},
    {OpCode::Log2, "log2", "log2", true},
    {OpCode::Log10, "log10", "log10", true},
    {OpCode::Sqrt, "sqrt", "sqrt", true},
    {OpCode::Abs, "abs", "abs", true},
    {OpCode::Floor, "floor", "floor", true},
    {OpCode::Ceil, "ceil", "ceil", true},
    {OpCode::Round, "round", "round", true},
    {OpCode::Erf, "erf", "erf", true},
    {OpCode::Lgamma, "lgamma", "lgamma", true},
    {OpCode::Within, "within", ""},
    {OpCode::Entry, "entry", ""},
    {OpCode::Or, "or", "||"},
    {OpCode::And, "and", "&&"},
    {OpCode::Equal, "equal", "=="},
    {OpCode::NotEqual, "not-equal", "!="},
    {OpCode::Less, "less", "<"},
    {OpCode::LessEqual, "less-equal", "<="},
    {OpCode::Greater, "greater", ">"},
    {OpCode::GreaterEqual, "greater-equal", ">="},
    {OpCode::Add, "add", "+"},
    {OpCode::Subtract, "subtract", "-"},
    {OpCode::Multiply, "multiply", "*"},
    {OpCode::Divide, "divide", "/"},
    {OpCode::Modulo, "modulo", "%"},
    {OpCode::Power, "power", "^"},
    {OpCode::Min, "min", "min", true},
    {OpCode::Max, "max", "max", true},
}};
constexpr std::string_view kSelect = "select";

const OpCodeText &textOf(OpCode code) {
  const OpCodeText &text = kTexts[static_cast<size_t>(code)];
  MPF_CHECK(text.code == code, "operation {} is named as {}", static_cast<int>(code), text.name);
  return text;
}

/// Returns a number as text. Infinities and NaN become quotients, because names may hide `inf`.
std::string number(double value) {
  if (std::isnan(value))
    return "(0 / 0)";
  if (std::isinf(value))
    return value > 0 ? "(1 / 0)" : "(-1 / 0)";
  return std::signbit(value) ? fmt::format("(-{})", formatDouble(-value)) : formatDouble(value);
}

std::string takeLast(std::vector<std::string> &stack) {
  MPF_CHECK(!stack.empty(), "an operation without operands");
  std::string text = std::move(stack.back());
  stack.pop_back();
  return text;
}

std::string apply(OpCode code, std::vector<std::string> &stack) {
  const std::string last = takeLast(stack);
  if (code == OpCode::Select) {
    const std::string first = takeLast(stack);
    return fmt::format("({} ? {} : {})", takeLast(stack), first, last);
  }
  const OpCodeText &text = textOf(code);
  if (code < OpCode::Or)
    return text.isFunction ? fmt::format("{}({})", text.written, last)
                           : fmt::format("({}{})", text.written, last);
  const std::string first = takeLast(stack);
  return text.isFunction ? fmt::format("{}({}, {})", text.written, first, last)
                         : fmt::format("({} {} {})", first, text.written, last);
}

} // namespace

std::string_view opCodeName(OpCode code) {
  return code == OpCode::Select ? kSelect : textOf(code).name;
}

std::string_view opCodeWritten(OpCode code) {
  return code == OpCode::Select ? std::string_view() : textOf(code).written;
}

std::optional<OpCode> opCodeNamed(std::string_view name) {
  if (name == kSelect)
    return OpCode::Select;
  for (const OpCodeText &text : kTexts)
    if (text.name == name && !isForBuilding(text.code))
      return text.code;
  return std::nullopt;
}

std::string expressionWords(const Expression &expression, const ParamName &paramName) {
  std::string words;
  for (const Instruction &instruction : expression.code) {
    words += words.empty() ? "" : " ";
    if (instruction.code == OpCode::Constant && std::isnan(instruction.value)) {
      words += "constant 0 constant 0 divide"; // texts cannot have NaN as a number
      continue;
    }
    words += opCodeName(instruction.code);
    if (instruction.code == OpCode::Constant)
      words += " " + formatDouble(instruction.value);
    else if (instruction.code == OpCode::State)
      words += fmt::format(" {}", instruction.slot);
    else if (instruction.code == OpCode::Param)
      words += " " + paramName(instruction.slot);
  }
  return words;
}

std::string expressionNotation(const Expression &expression, std::span<const uint32_t> states,
                               const ParamName &paramName) {
  std::vector<std::string> stack;
  for (const Instruction &instruction : expression.code)
    switch (instruction.code) {
    case OpCode::Constant:
      stack.push_back(number(instruction.value));
      break;
    case OpCode::State:
      stack.push_back(fmt::format("{}", states[instruction.slot]));
      break;
    case OpCode::Param:
      stack.push_back(paramName(instruction.slot));
      break;
    default: {
      std::string text = apply(instruction.code, stack);
      stack.push_back(std::move(text));
    }
    }
  return takeLast(stack);
}

} // namespace mpf
