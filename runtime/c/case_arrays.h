// Answers to cases, in arrays of a C program.
#pragma once

#include "runtime/c/mpf_c.h"
#include "runtime/result/case_answers.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf::c {

/// Checks arrays. `hasRows`: whether data are needed. Throws Error(Usage).
void requireArrays(std::span<const mpf_answer> arrays, bool hasRows);

/// Writes the answers to a block whose first case has number `first`. `variables`: the number of
/// states in a row of MPF_STATES. Throws Error(Usage) for an array of another shape.
void writeAnswers(const CaseAnswers &answers, uint64_t first, size_t variables,
                  std::span<const mpf_answer> arrays);

} // namespace mpf::c
