// A run's result -> the answer to a case: entries at their places, each case with an exponent of
// its own.
#pragma once

#include "runtime/result/case_answers.h"
#include "runtime/result/result.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace mpf {

/// Where the entries of a table over `variables`, in this order, stand among those of one case of
/// `full`, which has these variables and others: `stateOf` gives the states of the others.
std::vector<size_t> placesIn(const CaseTable &full, const std::vector<std::string> &variables,
                             const std::function<uint32_t(const std::string &)> &stateOf);

/// The entries of `table` from `first` on become those of case `i` of `answer`, at `places`; all
/// others are `rest`. Posteriors become fractions of their sum, and all 0 where there is none; then
/// `rest` is 0.
void takeEntries(const ResultTable &table, uint64_t first, std::span<const size_t> places,
                 double rest, CaseTable &answer, uint32_t i);

} // namespace mpf
