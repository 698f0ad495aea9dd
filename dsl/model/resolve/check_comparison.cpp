#include "dsl/model/resolve/check_comparison.h"

#include "dsl/model/resolve/state_ref.h"
#include "dsl/support/expression/evaluate_expression.h"
#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"

#include <cmath>

namespace mpf {

namespace {

/// Returns a hint how to write a variable whose bare name is ambiguous.
std::string clearForms(const BuildContext &context, VarId id) {
  const std::string name = excerpt(context.model.variable(id).name);
  return fmt::format("state({}) is the number of the state, a label stands in double quotes: "
                     "{} == {}",
                     name, name, excerpt(spellString(context.domains[id.index()]->labels.front())));
}

class ComparisonChecker {
public:
  ComparisonChecker(BuildContext &context, OpCode code) : context_(context), code_(code) {}

  /// Checks `side`, which is a variable, against `other`. `isFirst`: the variable is on the left.
  bool check(const ComparedSide &side, const ComparedSide &other, bool isFirst) {
    const VarId variable = *side.variable;
    if (other.variable)
      return hasEqualMeaning(domainOf(variable), domainOf(*other.variable)) ||
             refuse(side, fmt::format("as labels and as numbers of states, '{}' and '{}' compare "
                                      "differently",
                                      nameOf(variable), nameOf(*other.variable)));
    if (!other.constant)
      return refuse(side, fmt::format("the labels of '{}' look like numbers, which are not those "
                                      "of its states",
                                      nameOf(variable)));
    const std::string text = numberText(other.expr);
    const StateNumber number{*other.constant, text};
    if (isOrder())
      return hasEqualOrder(domainOf(variable), number.value, isFirst) ||
             refuse(side, fmt::format("as labels and as numbers of states, '{}' and {} compare "
                                      "differently",
                                      nameOf(variable), number.value));
    return stateWithNumber(context_, placeOf(context_, variable), number, other.expr.range,
                           text.empty() ? clearForms(context_, variable) : "")
        .has_value();
  }

private:
  const DomainInfo &domainOf(VarId id) const { return *context_.domains[id.index()]; }
  std::string nameOf(VarId id) const { return excerpt(context_.model.variable(id).name); }
  bool isOrder() const { return code_ != OpCode::Equal && code_ != OpCode::NotEqual; }

  bool refuse(const ComparedSide &side, std::string message) {
    context_.errorWithHint(side.expr.range, std::move(message),
                           clearForms(context_, *side.variable));
    return false;
  }

  /// Whether labels and states of two variables compare alike. If `code_` compares order, the
  /// values of the labels must ascend with the states.
  bool hasEqualMeaning(const DomainInfo &a, const DomainInfo &b) const {
    if (a.labels != b.labels && !a.numbers.hasEqualValues(b.numbers))
      return false;
    for (uint32_t state = 1; isOrder() && state < a.extent; ++state)
      if (!(a.numbers.valueOf(state - 1) < a.numbers.valueOf(state)))
        return false;
    return true;
  }

  bool hasEqualOrder(const DomainInfo &domain, double constant, bool isFirst) const {
    for (uint32_t state = 0; state < domain.extent; ++state) {
      const double value = domain.numbers.valueOf(state), place = state;
      const auto holds = [&](double left) {
        return isFirst ? applyBinary(code_, left, constant) : applyBinary(code_, constant, left);
      };
      if (!std::isnan(value) && holds(value) != holds(place))
        return false;
    }
    return true;
  }

  BuildContext &context_;
  const OpCode code_;
};

} // namespace

bool checkComparison(BuildContext &context, OpCode code, const ComparedSide &a,
                     const ComparedSide &b) {
  const auto hasValues = [&context](const ComparedSide &side) {
    return side.variable && !context.domains[side.variable->index()]->numbers.arePlaces();
  };
  // Only an infinity can be spelled like a label that has no value.
  const auto isClear = [&context](const ComparedSide &side, const ComparedSide &other) {
    return !side.variable || !other.constant || !std::isinf(*other.constant) ||
           checkNoLabel(context, placeOf(context, *side.variable), {*other.constant},
                        other.expr.range);
  };
  if (!isClear(a, b) || !isClear(b, a))
    return false;
  ComparisonChecker checker(context, code);
  if (hasValues(a))
    return checker.check(a, b, true);
  return !hasValues(b) || checker.check(b, a, false);
}

bool checkNumber(BuildContext &context, VarId variable, SourceRange range) {
  const DomainInfo &domain = *context.domains[variable.index()];
  for (uint32_t state = 0; state < domain.extent && !domain.numbers.arePlaces(); ++state) {
    const double value = domain.numbers.valueOf(state);
    if (value == state)
      continue;
    const std::string &label = domain.labels[state], shown = formatDouble(value);
    context.errorWithHint(
        range,
        fmt::format(
            "'{}' could be its label or the number of its state, which differ: state {} has "
            "the label '{}'{}",
            excerpt(context.model.variable(variable).name), state, excerpt(label),
            std::isnan(value) || shown == label ? "" : fmt::format(" ({})", shown)),
        clearForms(context, variable));
    return false;
  }
  return true;
}

} // namespace mpf
