// Copies the result of a run into the answer to a case. Each case has a separate exponent.
#pragma once

#include "runtime/result/case_answers.h"
#include "runtime/result/result.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace mpf {

/// Returns the indices, within one case of `full`, of the entries of a table over `variables`. The
/// entries are in the order of that table. `full` has these variables and others; `stateOf` returns
/// the states of the others.
std::vector<size_t> placesIn(const CaseTable &full, const std::vector<std::string> &variables,
                             const std::function<uint32_t(const std::string &)> &stateOf);

/// Copies the entries of `table` from `first` on to case `i` of `answer`, at `places`. All other
/// entries of the case become `rest`. Posteriors are divided by their sum, or become 0 if it is 0.
/// Precondition for posteriors: `rest` is 0.
void takeEntries(const ResultTable &table, uint64_t first, std::span<const size_t> places,
                 double rest, CaseTable &answer, uint32_t i);

/// Stores the entries of case `i` of `answer`, with one exponent if that loses nothing.
void storeNumbers(std::vector<ScaledNumber> numbers, CaseTable &answer, uint32_t i);

} // namespace mpf
