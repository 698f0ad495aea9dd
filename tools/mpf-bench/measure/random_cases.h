// Lists of cases in memory, for measurements: every variable of a model is a column, and cells are
// observed at random, in random states. The same arguments give the same list.
#pragma once

#include "dsl/model/model.h"
#include "dsl/support/cases/case_block.h"

#include <string>

namespace mpf::bench {

/// A model without its own evidence. Throws Error(BadInput) when it cannot be read.
Model modelForCases(const std::string &path);

CaseSchema everyVariable(const Model &model);

/// `observed`: the share of the cells that are observed.
CaseBlock randomCases(const CaseSchema &schema, uint64_t rows, double observed);

/// "PR", "MAR", "MPE" of the UAI competitions.
QueryKind kindOfTask(const std::string &task);

} // namespace mpf::bench
