// Finds the columns and params of a list of cases that its tables depend on.
#pragma once

#include "tools/mpfc/cases/case_list.h"
#include "tools/mpfc/explain/facts/case_facts.h"

#include <vector>

namespace mpf::driver {

/// Returns the tables that cases set: those whose entries are columns, then those that follow from
/// params. The first few columns and params of each are named. The time is proportional to the size
/// of all formulas, however many params one of them follows from.
std::vector<VaryingFacts> varyingTables(const CaseList &list);

} // namespace mpf::driver
