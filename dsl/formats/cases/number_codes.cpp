#include "dsl/formats/cases/number_codes.h"

#include "dsl/formats/cases/columns/column_choice.h"
#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace mpf {

NumberCodes::NumberCodes(const Variable &variable, NumberReading reading)
    : name_(variable.name), labels_(variable.labels), numbers_(labels_), reading_(reading),
      missing_(labels_) {
  for (uint32_t state = 0; state < labels_.size(); ++state)
    if (const auto value = parseDouble(labels_[state]); value && !std::isfinite(*value))
      notFinite_.emplace_back(*value, state);
}

bool NumberCodes::areNeeded(const NpyType &type) const {
  if (!missing_.hasAll() || (reading_ != NumberReading::Place && !numbers_.arePlaces()))
    return true;
  return type.kind == NpyKind::Unsigned &&
         numbers_.hasValue(std::ldexp(1.0, static_cast<int>(8 * type.bytes)) - 1);
}

uint32_t NumberCodes::stateOf(double number) const {
  if (!std::isfinite(number)) {
    const auto isEqual = [number](const std::pair<double, uint32_t> &label) {
      return std::isnan(number) ? std::isnan(label.first) : number == label.first;
    };
    const bool isLabel =
        reading_ == NumberReading::Label && std::ranges::count_if(notFinite_, isEqual) == 1;
    return isLabel ? std::ranges::find_if(notFinite_, isEqual)->second : kNoCode;
  }
  if (!numbers_.arePlaces())
    return numbers_.find(labels_, {number}, reading_).value_or(kNoCode);
  return placeOf(number, static_cast<uint32_t>(labels_.size())).value_or(kNoCode);
}

bool NumberCodes::isMeant(double number) const {
  return number < static_cast<double>(labels_.size()) || numbers_.hasValue(number);
}

std::string NumberCodes::problem(double number) const {
  const std::string name = excerpt(name_);
  if (std::isnan(number))
    return fmt::format("NaN is a label of '{}', so it does not mean not observed ({})", name,
                       kStatesHint);
  const char *const noMark = number < 0 && !missing_.hasNegative()
                                 ? "; a label is negative, so it does not mean not observed"
                                 : "";
  if (numbers_.arePlaces() || reading_ == NumberReading::Place)
    return fmt::format("{} is no state of '{}', which has {}, numbered from 0{}", number, name,
                       labels_.size(),
                       numbers_.hasValue(number) && *noMark == '\0'
                           ? "; it is a label, so it does not mean not observed"
                           : noMark);
  if (reading_ == NumberReading::Both)
    return fmt::format("{} ({})", numbers_.readings(labels_, name_, {number}), kStatesHint);
  return fmt::format("{} is none of the {}{}", number, labelsText(name_, labels_), noMark);
}

} // namespace mpf
