// Finds the tables of a plan that a GPU could store packed (dsl/support/packed_table.h). A CPU
// stores every table unpacked, since it would gain nothing.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <string>
#include <vector>

namespace mpf {

/// Returns for every table why a GPU could not read it packed, as the end of a sentence ("is ..."),
/// or an empty text. A table can be packed if
/// - it takes the values of a factor and is not the same as another one;
/// - its slices begin with a word;
/// - only operations outside of chains read it, and their semirings have a zero;
/// - it is neither an output nor part of the traceback.
///
/// A table that is the same as another one passes its conditions on to the table that stores it.
/// Whether the entries are zeros and ones is checked elsewhere (InputContents::isZeroOne).
/// `program` must be sound otherwise.
std::vector<std::string> packingFaults(const TableProgram &program);

} // namespace mpf
