// Which tables of a plan could be packed (dsl/support/packed_table.h). A CPU stores them as they
// are, since it would gain nothing.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <string>
#include <vector>

namespace mpf {

/// For every table: why a GPU could not read it packed, as the end of a sentence ("is ..."), or
/// empty. A table can be packed if it takes the values of a factor, only operations that a GPU runs
/// one by one read it, and their semirings have a zero to store. Whether its entries are zeros and
/// ones is checked elsewhere (InputContents::isZeroOne).
std::vector<std::string> packingFaults(const TableProgram &program);

} // namespace mpf
