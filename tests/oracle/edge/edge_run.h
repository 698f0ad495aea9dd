// Runs one case and judges its result.
#pragma once

#include "tests/oracle/edge/edge_case.h"
#include "tests/oracle/edge/exact_brute_force.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mpf::oracle {

enum class EdgeOutcome {
  Right,
  Refused,    ///< for a reason of legitimateRefusal
  Wrong,      ///< a number, or a refusal that has no such reason
  NotANumber, ///< NaN in a result
  Internal,   ///< a broken invariant, or a bundle of our own that we do not read
};

struct EdgeVerdict {
  EdgeOutcome outcome = EdgeOutcome::Right;
  std::string text;     ///< the fault, or the reason of the refusal
  std::string category; ///< failures of one cause mostly share it
  bool isError = false; ///< the category is an error's message
  uint64_t skippedEntries = 0;

  bool isFailure() const {
    return outcome != EdgeOutcome::Right && outcome != EdgeOutcome::Refused;
  }
};

/// Returns one answer for each run; options do not change it.
std::vector<ExactAnswer> exactAnswers(const EdgeCase &edge);

/// Compiles and runs the case; `wanted` are its exactAnswers. Throws nothing.
EdgeVerdict runCase(const EdgeCase &edge, const std::vector<ExactAnswer> &wanted);

} // namespace mpf::oracle
