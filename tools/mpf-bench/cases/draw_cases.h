// `mpf-bench draw-cases`: the rows that `mpf-bench cases` measures, as a file for mpfc and for
// other programs.
#pragma once

#include "dsl/model/model.h"
#include "dsl/support/cases/case_block.h"

#include <cstdint>
#include <string>

namespace mpf::bench {

struct DrawCasesOptions {
  std::string model, output;
  uint64_t rows = 1000;
  double observed = 0.2;
};

/// Returns cases as CSV: names of the variables, then a line for each case. Cells have labels, or
/// state numbers if there are no labels; unobserved cells are empty.
std::string casesCsv(const Model &model, const CaseBlock &block);

/// Writes the file, and returns a message for people. Throws Error(BadInput) for models that cannot
/// be read or that sweep params, and for a file that cannot be written.
std::string drawCases(const DrawCasesOptions &options);

} // namespace mpf::bench
