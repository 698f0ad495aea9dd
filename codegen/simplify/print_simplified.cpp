#include "codegen/simplify/print_simplified.h"

#include "dsl/model/print/print_model.h"
#include "dsl/source/line_reader.h"
#include "dsl/support/number_text.h"

#include <fmt/format.h>

namespace mpf {

namespace {

std::string scaleText(const AnswerScale &scale) {
  std::string text = fmt::format("# scale {}", formatDouble(scale.factor.mantissa));
  if (scale.factor.exponent != 0)
    text += fmt::format(" * 2^{}", scale.factor.exponent);
  if (scale.offset != 0)
    text += fmt::format(", plus {}", formatDouble(scale.offset));
  return text + "\n";
}

std::string stepText(const PostsolveMap &answer, const AnswerStep &step) {
  const auto name = [&](VarId id) { return quoteWord(answer.variables[id.index()].name); };
  std::string text = fmt::format("# answer {}:", name(step.variable));
  if (step.source) {
    text += fmt::format(" from {}", name(*step.source));
    for (const uint32_t state : step.stateOf)
      text += fmt::format(" {}", state);
    return text + "\n";
  }
  for (const uint32_t state : step.newState)
    text += state == AnswerStep::kNoState ? " -" : fmt::format(" {}", state);
  if (!step.share.empty())
    text += " shared";
  for (const double share : step.share)
    text += ' ' + formatDouble(share);
  if (step.table != nullptr) {
    text += " by table(";
    for (size_t a = 0; a < step.scope.size(); ++a)
      text += (a == 0 ? "" : ", ") + name(step.scope[a]);
    text += ")";
  }
  return text + "\n";
}

} // namespace

std::string printSimplified(const Simplified &simplified) {
  std::string text;
  if (simplified.answer) {
    text += scaleText(simplified.answer->scale);
    for (const AnswerStep &step : simplified.answer->steps)
      text += stepText(*simplified.answer, step);
  }
  return text + printModel(simplified.model);
}

} // namespace mpf
