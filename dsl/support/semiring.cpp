#include "dsl/support/semiring.h"

#include "dsl/support/check.h"

#include <array>
#include <limits>
#include <utility>

namespace mpf {

namespace {

constexpr std::array<std::pair<Semiring, std::string_view>, 6> kSemirings = {{
    {{Reduce::Sum, Combine::Times}, "sum-product"},
    {{Reduce::Max, Combine::Times}, "max-product"},
    {{Reduce::Min, Combine::Times}, "min-product"},
    {{Reduce::Max, Combine::Plus}, "max-sum"},
    {{Reduce::Min, Combine::Plus}, "min-sum"},
    {{Reduce::LogSum, Combine::Plus}, "logsum-sum"},
}};
} // namespace

std::string_view elementTypeName(ElementType type) {
  constexpr std::array<std::string_view, 4> kNames = {"f32", "f64", "u64", "u128"};
  return kNames[static_cast<size_t>(type)];
}

std::optional<ElementType> elementTypeNamed(std::string_view name) {
  for (const ElementType type :
       {ElementType::F32, ElementType::F64, ElementType::U64, ElementType::U128})
    if (elementTypeName(type) == name)
      return type;
  return std::nullopt;
}

bool isSemiring(Semiring semiring) {
  for (const auto &[candidate, name] : kSemirings)
    if (candidate == semiring)
      return true;
  return false;
}

double combineIdentity(Combine combine) { return combine == Combine::Times ? 1.0 : 0.0; }

double reduceIdentity(Semiring semiring) {
  switch (semiring.reduce) {
  case Reduce::Sum:
    return 0.0;
  case Reduce::Min:
    return kInfinity;
  case Reduce::LogSum:
    return -kInfinity;
  case Reduce::Max:
    break;
  }
  // Products of non-negative values: nothing is below 0, and 0 needs no special case in kernels.
  return semiring.combine == Combine::Times ? 0.0 : -kInfinity;
}

bool storesZero(Semiring semiring, bool isInteger) {
  return semiring.reduce != Reduce::Min && !(isInteger && semiring.combine == Combine::Plus);
}

std::string_view semiringName(Semiring semiring) {
  for (const auto &[candidate, name] : kSemirings)
    if (candidate == semiring)
      return name;
  MPF_UNREACHABLE("not a semiring: reduce {} combine {}", static_cast<int>(semiring.reduce),
                  static_cast<int>(semiring.combine));
}

std::optional<Semiring> semiringNamed(std::string_view name) {
  for (const auto &[candidate, known] : kSemirings)
    if (known == name)
      return candidate;
  return std::nullopt;
}

} // namespace mpf
