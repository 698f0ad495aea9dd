#include "dsl/formats/cases/number_codes.h"

#include "dsl/formats/cases/columns/column_choice.h"

#include <cmath>
#include <fmt/format.h>

namespace mpf {

uint32_t NumberCodes::codeOfNumber(double number) const {
  if (std::isnan(number))
    return none();
  if (const auto state = numbers_.find(labels_, {number}, reading_))
    return *state;
  return number < 0 && !numbers_.hasNegative() ? none() : kNoCode;
}

std::string NumberCodes::problem(double number) const {
  if (reading_ == NumberReading::Both)
    return fmt::format("{} ({})", numbers_.readings(labels_, name_, {number}), kStatesHint);
  return fmt::format("{} is none of the {}", number, labelsText(name_, labels_));
}

} // namespace mpf
