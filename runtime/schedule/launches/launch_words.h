// The words of a launch plan's text (print_launch_plan.h), indexed by enumerator.
#pragma once

#include "runtime/schedule/launches/launch_plan.h"

#include <array>
#include <string_view>

namespace mpf {

inline constexpr std::array<std::string_view, 5> kLaunchKindWords = {"specialised", "fallback",
                                                                     "normalise", "level", "chain"};
inline constexpr std::array<std::string_view, 6> kLaunchArithmeticWords = {
    "always", "assumed", "if-exact", "if-inexact", "either", "log"};
inline constexpr std::array<std::string_view, 3> kWaitPointWords = {"begin", "stores", "end"};

static_assert(kLaunchKindWords.size() == static_cast<size_t>(LaunchKind::Chain) + 1);
static_assert(kLaunchArithmeticWords.size() == static_cast<size_t>(LaunchArithmetic::Log) + 1);
static_assert(kWaitPointWords.size() == static_cast<size_t>(WaitPoint::End) + 1);

template <class Words, class Enum> std::string_view wordOf(const Words &words, Enum value) {
  return words[static_cast<size_t>(value)];
}

} // namespace mpf
