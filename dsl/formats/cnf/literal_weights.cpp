#include "dsl/formats/cnf/literal_weights.h"

#include "dsl/support/wide_table.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace mpf {

namespace {

constexpr double kBeyondWhole = 0x1p53;

bool isWholeCount(const ScaledNumber &number) {
  const double nearest = number.nearest();
  return nearest >= 0 && nearest < kBeyondWhole && nearest == std::floor(nearest) &&
         (nearest != 0 || number.mantissa == 0);
}

ScaledNumber oneMinus(const ScaledNumber &number) {
  return ScaledNumber::fromValue(1 - number.nearest());
}

/// Returns the number that a table holds; nothing for another text.
std::optional<ScaledNumber> decimal(std::string_view text) {
  const TableNumber number = readTableNumber(text);
  if (number.kind == TableNumber::Kind::Plain)
    return ScaledNumber::fromValue(number.nearest);
  return number.kind == TableNumber::Kind::Far ? std::optional(number.far) : std::nullopt;
}

/// Reads a decimal number, or a quotient of two. Nothing if a table does not hold it.
std::optional<ScaledNumber> rational(std::string_view text) {
  const size_t slash = text.find('/');
  const std::optional<ScaledNumber> above = decimal(text.substr(0, slash));
  if (!above || slash == text.npos)
    return above;
  const ScaledNumber below = decimal(text.substr(slash + 1)).value_or(ScaledNumber());
  const ScaledNumber quotient =
      ScaledNumber::fromValue(above->mantissa / below.mantissa, above->exponent - below.exponent);
  return below.mantissa != 0 && std::abs(quotient.exponent) <= kMostWideExponent
             ? std::optional(quotient)
             : std::nullopt;
}

/// The two weights of a variable in the form of StoredValues.
std::vector<double> tableOf(const ScaledNumber &negative, const ScaledNumber &positive) {
  const std::optional<double> first = negative.value(), second = positive.value();
  if (first && second)
    return {*first, *second};
  return widened(std::vector<ScaledNumber>{negative, positive});
}

} // namespace

std::optional<ScaledNumber> LiteralWeights::numberOf(const PlacedText &word) {
  if (const std::optional<ScaledNumber> number = rational(word.text))
    return number;
  const bool isComplex = word.text.ends_with('i');
  const bool isPolynomial = word.text.find('x') != word.text.npos;
  network_.error(word.range, "the weight is {}, which is {}; a weight is a real number: 0.25, 1/4",
                 word.text.empty() ? "missing" : "'" + excerpt(word.text) + "'",
                 isComplex      ? "complex"
                 : isPolynomial ? "a polynomial"
                                : "no number that tables hold");
  return std::nullopt;
}

bool LiteralWeights::set(Literal literal, const PlacedText &word) {
  const std::optional<ScaledNumber> number = numberOf(word);
  if (number)
    weights_.push_back({literal, *number, word.range});
  return number.has_value();
}

bool LiteralWeights::setBoth(Literal variable, const PlacedText &word) {
  const std::optional<ScaledNumber> number = numberOf(word);
  if (!number)
    return false;
  const bool isUnweighted = number->nearest() == -1;
  const ScaledNumber one = ScaledNumber::fromValue(1);
  weights_.push_back({variable, isUnweighted ? one : *number, word.range});
  weights_.push_back({-variable, isUnweighted ? one : oneMinus(*number), word.range});
  return true;
}

bool LiteralWeights::check(std::span<const Weight> ofVariable, uint64_t variables,
                           const std::vector<bool> &isCounted) {
  const Weight &first = ofVariable.front();
  const auto variable = static_cast<uint64_t>(std::abs(first.literal));
  if (variable > variables)
    return network_.error(first.place,
                          "this is the weight of {}, the text has the variables 1 to {}",
                          first.literal, variables);
  if (!isCounted.empty() && !isCounted[variable - 1])
    return network_.error(first.place,
                          "variable {} has a weight, but the count is not over it: only variables "
                          "of `c p show` can have weights there",
                          variable);
  for (size_t i = 1; i < ofVariable.size(); ++i)
    if (ofVariable[i].literal == ofVariable[i - 1].literal) {
      network_.error(ofVariable[i].place, "literal {} has a second weight", ofVariable[i].literal);
      network_.diagnostics().note(network_.placeOf(ofVariable[i - 1].place),
                                  "the first one is here");
      return false;
    }
  return true;
}

void LiteralWeights::addFactors(ClauseFactors &clauses, uint64_t variables,
                                const std::vector<bool> &isCounted) {
  std::ranges::stable_sort(weights_, {}, [](const Weight &weight) {
    return std::pair(std::abs(weight.literal), weight.literal);
  });
  uint64_t single = 0;
  const Weight *firstSingle = nullptr;
  for (size_t begin = 0, end = 0; begin < weights_.size(); begin = end) {
    const Literal variable = std::abs(weights_[begin].literal);
    while (end < weights_.size() && std::abs(weights_[end].literal) == variable)
      ++end;
    const std::span<const Weight> ofVariable(&weights_[begin], end - begin);
    if (!check(ofVariable, variables, isCounted))
      continue;
    const Weight &first = ofVariable.front();
    ScaledNumber negative = first.value, positive = ofVariable.back().value;
    if (ofVariable.size() == 1) {
      const double value = first.value.nearest();
      const ScaledNumber other =
          value >= 0 && value <= 1 ? oneMinus(first.value) : ScaledNumber::fromValue(1);
      (first.literal > 0 ? negative : positive) = other;
      if (++single == 1)
        firstSingle = &first;
    }
    areWhole_ &= isWholeCount(negative) && isWholeCount(positive);
    clauses.addWeights(variable, tableOf(negative, positive), first.place);
  }
  if (single != 0)
    network_.diagnostics().warning(
        network_.placeOf(firstSingle->place),
        "variables with a weight for one literal alone: {}; the other literal has 1 - w, or 1 if w "
        "is not in [0, 1]; other counters may choose otherwise",
        single);
}

} // namespace mpf
