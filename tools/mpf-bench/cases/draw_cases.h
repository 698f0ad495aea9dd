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

/// As CSV: names of the variables, then a line for each case with labels, or state numbers where
/// there are none; nothing for what is not observed.
std::string casesCsv(const Model &model, const CaseBlock &block);

/// Returns what there is to say. Throws Error(BadInput) for a model that cannot be read, and for
/// one that sweeps params; Error(Usage) for a file that cannot be written.
std::string drawCases(const DrawCasesOptions &options);

} // namespace mpf::bench
