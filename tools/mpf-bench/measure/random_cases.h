// Lists of cases in memory, for measurements: those of a model's swept params; else every variable
// of the model is a column, and cells are observed at random, in random states. The same arguments
// give the same list.
#pragma once

#include "dsl/model/model.h"
#include "dsl/support/cases/case_block.h"

#include <string>

namespace mpf::bench {

struct MeasuredCases {
  Model model; ///< for one case: without sweeps; random cases take its evidence away
  CaseSchema schema;
  CaseBlock block;
};

/// `rows` random cases, of whose cells the share `observed` is observed; or at most so many values
/// of the params that the model sweeps. Throws Error(BadInput) when it cannot be read.
MeasuredCases measuredCases(const std::string &path, uint64_t rows, double observed);

/// "PR", "MAR", "MPE" of the UAI competitions.
QueryKind kindOfTask(const std::string &task);

} // namespace mpf::bench
