// The answers of a command line as one text: for people, and as JSON.
#pragma once

#include "runtime/result/result.h"
#include "tools/mpfc/refusals.h"

#include <span>
#include <string>

namespace mpf::driver {

struct Answers {
  std::span<const Result> results; ///< at least one
  std::span<const Refusal> refused;
  size_t queries = 1; ///< asked for
};

/// The evidence has probability zero and the query asks for what does not exist then.
bool lacksAnswer(const Result &result);

/// Each result under the name of its query where several are asked for.
std::string textOf(const Answers &answers, bool profile);

/// One object, or a list of them for several queries; those refused come last, with `error` and
/// `exit_code`.
std::string jsonOf(const Answers &answers);

} // namespace mpf::driver
