#include "dsl/model/resolve/check_comparison.h"

#include "dsl/support/expression/evaluate_expression.h"
#include "dsl/support/expression/expression_text.h"
#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

/// Returns a hint how to write a variable whose bare name is ambiguous.
std::string clearForms(const StatePlace &place) {
  const std::string name = excerpt(place.name);
  return fmt::format("state({}) is the number of the state, a label stands in double quotes: "
                     "{} == {}",
                     name, name, excerpt(spellString(place.domain.labels.front())));
}

bool hasValues(const ComparedSide &side) {
  return side.place && !side.place->domain.numbers.arePlaces();
}

class ComparisonChecker {
public:
  ComparisonChecker(BuildContext &context, OpCode code) : context_(context), code_(code) {}

  /// Checks a comparison of two states.
  bool checkStates(const ComparedSide &a, const ComparedSide &b) {
    if (hasEqualMeaning(a.place->domain, b.place->domain))
      return true;
    const std::string first = excerpt(a.place->name), second = excerpt(b.place->name);
    context_.errorWithHint(
        a.expr.range,
        fmt::format("as labels and as numbers of states, '{}' and '{}' compare differently", first,
                    second),
        fmt::format("state({}) {} state({}) compares the numbers", first, opCodeWritten(code_),
                    second));
    return false;
  }

  /// Checks `side`, a state whose labels have values, against `other`, which is no state.
  /// `isFirst`: the state is on the left.
  bool checkState(const ComparedSide &side, const ComparedSide &other, bool isFirst) {
    const StatePlace &place = *side.place;
    if (!other.constant)
      return refuse(side, fmt::format("the labels of '{}' look like numbers, which are not those "
                                      "of its states",
                                      excerpt(place.name)));
    const std::string text = numberText(other.expr);
    const StateNumber number{*other.constant, text};
    if (isOrder())
      return hasEqualOrder(place.domain, number.value, isFirst) ||
             refuse(side, fmt::format("as labels and as numbers of states, '{}' and {} compare "
                                      "differently",
                                      excerpt(place.name), number.value));
    return stateWithNumber(context_, place, number, other.expr.range,
                           text.empty() ? clearForms(place) : "")
        .has_value();
  }

private:
  bool isOrder() const { return code_ != OpCode::Equal && code_ != OpCode::NotEqual; }

  bool refuse(const ComparedSide &side, std::string message) {
    context_.errorWithHint(side.expr.range, std::move(message), clearForms(*side.place));
    return false;
  }

  /// Whether labels and numbers of two states compare alike. One list of labels may begin with the
  /// other. An order must be that of the values of the labels too.
  bool hasEqualMeaning(const DomainInfo &a, const DomainInfo &b) const {
    if (a.labels.empty() || b.labels.empty())
      return a.numbers.arePlaces() && b.numbers.arePlaces();
    const auto differ = std::ranges::mismatch(a.labels, b.labels);
    if (differ.in1 != a.labels.end() && differ.in2 != b.labels.end() &&
        (a.numbers.arePlaces() || !a.numbers.hasEqualValues(b.numbers)))
      return false;
    return !isOrder() || (ascends(a) && ascends(b));
  }

  /// Whether the values of the labels, if they have values, ascend with the states.
  static bool ascends(const DomainInfo &domain) {
    for (uint32_t state = 1; !domain.numbers.arePlaces() && state < domain.extent; ++state)
      if (!(domain.numbers.valueOf(state - 1) < domain.numbers.valueOf(state)))
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
  // Only an infinity can be spelled like a label that has no value.
  const auto isClear = [&context](const ComparedSide &side, const ComparedSide &other) {
    return !side.place || other.place || !other.constant || !std::isinf(*other.constant) ||
           checkNoLabel(context, *side.place, {*other.constant}, other.expr.range);
  };
  if (!isClear(a, b) || !isClear(b, a))
    return false;
  ComparisonChecker checker(context, code);
  if (a.place && b.place)
    return checker.checkStates(a, b);
  if (hasValues(a))
    return checker.checkState(a, b, true);
  return !hasValues(b) || checker.checkState(b, a, false);
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
        clearForms(placeOf(context, variable)));
    return false;
  }
  return true;
}

} // namespace mpf
