// Compares one result with the exact answer. Numbers are compared as value * 2^exponent, exactly:
// no double in between could overflow or vanish.
#pragma once

#include "runtime/result/result.h"
#include "tests/oracle/edge/edge_case.h"
#include "tests/oracle/edge/exact_brute_force.h"

#include <cstdint>
#include <string>

namespace mpf::oracle {

struct Judgement {
  std::string fault;    ///< empty: right. Else which entry, found and wanted
  std::string category; ///< category of the fault, "0 instead of a number"; no names, no numbers
  bool isNan = false;
  uint64_t skippedEntries = 0; ///< sums that cancel too far to be compared
};

/// Judges the result of run number `run` of the case, whose answer is `wanted`.
Judgement judge(const EdgeCase &edge, size_t run, const ExactAnswer &wanted, const Result &found);

} // namespace mpf::oracle
