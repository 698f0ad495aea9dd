// THE CHOICE for a list of cases: which candidate of an answer plan is opened. It depends on the
// candidates alone, so a plan shows everything that decided (verify_answer.h repeats the choice).
#pragma once

#include "runtime/choose/answer/answer_plan.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace mpf {

/// The factor by which a candidate must be predicted to be faster than an earlier one to be taken
/// instead, because predictions are that inaccurate.
inline constexpr double kClearly = 2;

/// The refusal of a candidate that is planned only if no other can answer.
inline constexpr std::string_view kCostsMore = "planning it costs more than it can save";

/// Returns the index of the chosen candidate. It is the first that does not refuse, unless a later
/// one is predicted to be clearly faster (kClearly) than those before it. None: all refuse.
std::optional<size_t> chooseForList(std::span<const AnswerCandidate> candidates);

/// Returns why the rule chooses this candidate, one sentence.
std::string reasonOfList(std::span<const AnswerCandidate> candidates, size_t chosen);

} // namespace mpf
