// Prints all answers of a command line as one text, for people or as JSON.
#pragma once

#include "runtime/result/result.h"
#include "runtime/result/result_json.h"
#include "tools/mpfc/process/refusals.h"

#include <span>
#include <string>

namespace mpf::driver {

struct Answers {
  std::span<const Result> results; ///< at least one
  std::span<const Refusal> refused;
  size_t queries = 1; ///< number of queries asked for
  GivenValues given = {};
};

/// Whether the evidence has probability zero and the query's answer does not exist in that case.
bool lacksAnswer(const Result &result);

/// Returns the text for people, below a line with the params and evidence that are given. If
/// several queries were asked for, each result has its query's name above it.
/// `folds`: PrintOptions::folds.
std::string textOf(const Answers &answers, bool profile, bool folds);

/// Returns a JSON list with an object for each query, even for a single query. Refused queries come
/// last, with `error` and `exit_code`.
std::string jsonOf(const Answers &answers);

} // namespace mpf::driver
