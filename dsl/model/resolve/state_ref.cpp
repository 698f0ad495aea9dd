#include "dsl/model/resolve/state_ref.h"

#include "dsl/model/resolve/local_names.h"
#include "dsl/support/cases/state_label.h"
#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

std::string textOfNumber(const StateNumber &number) {
  return number.text.empty() ? formatDouble(number.value) : excerpt(number.text);
}

void reportReadings(BuildContext &context, const StatePlace &place, const StateNumber &number,
                    SourceRange range, const std::string &hint) {
  const DomainInfo &domain = place.domain;
  const std::string &name = place.name;
  const std::string readings = domain.numbers.readings(domain.labels, name, number),
                    strings = domain.numbers.strings(domain.labels, number);
  if (strings.empty())
    context.errorWithHint(range, readings, labelsText(name, domain.labels));
  else
    context.errorWithHint(range, fmt::format("{}: write {}", readings, strings), hint);
}

} // namespace

StatePlace placeOf(const BuildContext &context, VarId variable) {
  return {*context.domains[variable.index()], context.model.variable(variable).name};
}

std::optional<uint32_t> stateWithLabel(BuildContext &context, const StatePlace &place,
                                       const std::string &label, SourceRange range) {
  const DomainInfo &domain = place.domain;
  if (const auto found = domain.stateOf.find(label); found != domain.stateOf.end())
    return found->second;
  const std::string &name = place.name;
  if (domain.labels.empty()) {
    if (const auto state = stateCalled({}, domain.extent, label))
      return state;
    context.error(range, "'{}' has no labels, its states are 0..{}; found '{}'", excerpt(name),
                  domain.extent - 1, excerpt(label));
    return std::nullopt;
  }
  Suggestion suggestion(label);
  suggestion.offerAll(domain.labels);
  context.errorWithHint(range, fmt::format("'{}' has no state '{}'", excerpt(name), excerpt(label)),
                        suggestion.best().empty() ? labelsText(name, domain.labels)
                                                  : suggestion.hint());
  return std::nullopt;
}

std::optional<uint32_t> stateWithNumber(BuildContext &context, const StatePlace &place,
                                        const StateNumber &number, SourceRange range,
                                        const std::string &hint) {
  const DomainInfo &domain = place.domain;
  const std::string &name = place.name;
  if (!domain.numbers.arePlaces()) {
    const auto state = domain.numbers.find(domain.labels, number, NumberReading::Both);
    if (!state)
      reportReadings(context, place, number, range, hint);
    return state;
  }
  if (const auto state = placeOf(number.value, domain.extent))
    return state;
  const std::string shown = textOfNumber(number);
  if (!checkNoLabel(context, place, number, range))
    return std::nullopt;
  if (number.value != std::floor(number.value))
    context.error(range, "state {} of '{}' is no whole number", shown, excerpt(name));
  else
    context.error(range, "state {} of '{}' is outside 0..{}", shown, excerpt(name),
                  domain.extent - 1);
  return std::nullopt;
}

bool checkNoLabel(BuildContext &context, const StatePlace &place, const StateNumber &number,
                  SourceRange range) {
  const std::string shown = textOfNumber(number);
  if (!place.domain.stateOf.contains(shown))
    return true;
  context.errorWithHint(
      range, fmt::format("{} is a number here, and no state of '{}'", shown, excerpt(place.name)),
      "the label is written " + spellString(shown));
  return false;
}

const char *numberKindOf(const BuildContext &context, const std::string &name,
                         std::span<const VarId> scope) {
  if (findLoopIndex(context, name) != nullptr)
    return "loop index";
  if (findArgument(context, name) != nullptr)
    return "argument";
  if (findBinding(context, name))
    return "name behind 'where'";
  const Symbol *symbol = context.symbols.find(name);
  if (symbol == nullptr)
    return nullptr;
  if (std::holds_alternative<ParamSymbol>(symbol->what) ||
      std::holds_alternative<ArrayPtr>(symbol->what))
    return "param";
  const auto *variable = std::get_if<VariableSymbol>(&symbol->what);
  const bool isInScope =
      variable != nullptr && std::ranges::find(scope, variable->first) != scope.end();
  return isInScope ? "variable" : nullptr;
}

bool checkOneMeaning(BuildContext &context, const StatePlace &place, const ast::Expr &name,
                     std::span<const VarId> scope) {
  if (!place.domain.stateOf.contains(name.name))
    return true;
  const char *kind = numberKindOf(context, name.name, scope);
  if (kind != nullptr)
    context.error(name.range,
                  "'{}' is a label of '{}' and {} {}: write {} for the label, or rename the {}",
                  excerpt(name.name), excerpt(place.name), *kind == 'a' ? "an" : "a", kind,
                  excerpt(spellString(name.name)), kind);
  return kind == nullptr;
}

std::string numberText(const ast::Expr &expr) {
  const bool isNegated = expr.kind == ast::ExprKind::Unary && expr.op == ast::Operator::Negate;
  const ast::Expr &number = isNegated ? expr.children.front() : expr;
  if (number.kind != ast::ExprKind::Number)
    return {};
  return (isNegated ? "-" : "") + (number.name.empty() ? formatDouble(number.number) : number.name);
}

} // namespace mpf
