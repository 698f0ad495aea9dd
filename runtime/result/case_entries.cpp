#include "runtime/result/case_entries.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mpf {

namespace {

/// Largest difference of binary exponents at which the entries of a case fit doubles exactly.
constexpr int64_t kMostApart = 1000;

bool isScaled(const ScaledNumber &number) {
  return number.mantissa != 0 && std::isfinite(number.mantissa);
}

bool isBelowZero(double value) { return value < 0; }

/// Stores entries as fractions of their sum; all 0 if they are, or if the table has none.
void takeFractions(const ResultTable &table, uint64_t first, std::span<const size_t> places,
                   CaseTable &answer, uint32_t i) {
  if (table.entries.empty())
    return;
  double *const entries = answer.entries.data() + size_t{i} * answer.size;
  const std::span<const double> from = std::span(table.entries).subspan(first, places.size());
  std::vector<double> parts(from.begin(), from.end());
  const double greatest = *std::ranges::max_element(parts);
  if (table.logEntries) // relative to the greatest, so that sums neither overflow nor vanish
    for (double &part : parts)
      part = std::isinf(greatest) ? 0 : std::exp2(part - greatest);
  const double sum = std::accumulate(parts.begin(), parts.end(), 0.0);
  bool isFar = false; // a fraction is neither 0 nor a normal double
  for (size_t e = 0; e < places.size(); ++e) {
    entries[places[e]] = sum == 0 ? 0 : parts[e] / sum;
    isFar |= (table.logEntries ? !std::isinf(from[e]) : from[e] != 0) &&
             !std::isnormal(entries[places[e]]);
  }
  const bool maySubtract = !table.signs.empty() || std::ranges::any_of(parts, isBelowZero);
  if (!isFar || sum == 0 || maySubtract)
    return;
  std::vector<ScaledNumber> &numbers = answer.farApart[i];
  numbers.assign(answer.size, ScaledNumber());
  for (size_t e = 0; e < places.size(); ++e)
    numbers[places[e]] = ScaledNumber::fromLog2(
        (table.logEntries ? from[e] - greatest : std::log2(from[e])) - std::log2(sum));
}

} // namespace

std::vector<size_t> placesIn(const CaseTable &full, const std::vector<std::string> &variables,
                             const std::function<uint32_t(const std::string &)> &stateOf) {
  const size_t count = full.variables.size();
  std::vector<size_t> strides(count, 1);
  for (size_t v = count; v-- > 1;)
    strides[v - 1] = strides[v] * full.extents[v];
  std::vector<size_t> places = {0};
  size_t found = 0;
  for (size_t v = 0; v < count; ++v) {
    if (std::ranges::find(variables, full.variables[v]) == variables.end()) {
      const uint32_t state = stateOf(full.variables[v]);
      MPF_CHECK(state < full.extents[v], "{} has no state {}", full.variables[v], state);
      for (size_t &place : places)
        place += state * strides[v];
      continue;
    }
    MPF_CHECK(variables[found] == full.variables[v], "{} stands before {} in {}", variables[found],
              full.variables[v], full.name);
    ++found;
    std::vector<size_t> longer;
    for (const size_t place : places)
      for (uint32_t state = 0; state < full.extents[v]; ++state)
        longer.push_back(place + state * strides[v]);
    places = std::move(longer);
  }
  MPF_CHECK(found == variables.size(), "{} of the {} variables stand in {}", found,
            variables.size(), full.name);
  return places;
}

void takeEntries(const ResultTable &table, uint64_t first, std::span<const size_t> places,
                 double rest, CaseTable &answer, uint32_t i) {
  double *const entries = answer.entries.data() + size_t{i} * answer.size;
  std::fill_n(entries, answer.size, answer.normalised ? 0 : rest);
  answer.exponents[i] = 0;
  if (answer.normalised)
    return takeFractions(table, first, places, answer, i);
  if (!table.integerEntries.empty()) {
    Uint128 *const integers = answer.integerEntries.data() + size_t{i} * answer.size;
    std::fill_n(integers, answer.size, 0);
    for (size_t e = 0; e < places.size(); ++e) {
      entries[places[e]] = table.entries[first + e];
      integers[places[e]] = table.integerEntries[first + e];
    }
    return;
  }
  std::vector<ScaledNumber> numbers(answer.size, ScaledNumber::fromValue(rest));
  for (size_t e = 0; e < places.size(); ++e)
    numbers[places[e]] = table.at(first + e);
  storeNumbers(std::move(numbers), answer, i);
}

void storeNumbers(std::vector<ScaledNumber> numbers, CaseTable &answer, uint32_t i) {
  double *const entries = answer.entries.data() + size_t{i} * answer.size;
  int64_t least = INT64_MAX, greatest = INT64_MIN; // exponents
  for (const ScaledNumber &number : numbers)
    if (isScaled(number)) {
      least = std::min(least, number.exponent);
      greatest = std::max(greatest, number.exponent);
    }
  if (least > greatest || answer.normalised) // all are 0 or infinite, or fractions
    greatest = 0;
  const int64_t exponent = std::clamp<int64_t>(greatest, INT32_MIN, INT32_MAX);
  answer.exponents[i] = static_cast<int32_t>(exponent);
  for (size_t e = 0; e < answer.size; ++e) {
    const int64_t down = isScaled(numbers[e]) ? numbers[e].exponent - exponent : 0;
    entries[e] =
        std::ldexp(numbers[e].mantissa, static_cast<int>(std::clamp<int64_t>(down, -5000, 5000)));
  }
  if (least < greatest - kMostApart || exponent != greatest)
    answer.farApart[i] = std::move(numbers);
}

} // namespace mpf
