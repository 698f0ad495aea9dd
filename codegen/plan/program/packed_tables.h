// Says which tables of a plan a GPU could store packed (dsl/support/packed_table.h). A CPU stores
// every table unpacked, since it would gain nothing.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <string>
#include <vector>

namespace mpf {

/// For every table: why a GPU could not read it packed, as the end of a sentence ("is ..."), or
/// empty. A table can be packed if it takes the values of a factor and is not the same as another
/// one, if its slices begin with a word, if it is read only by operations outside of chains whose
/// semirings have a zero, and if it is neither an output nor part of the traceback. What is true of
/// a table is also held against the table that stores it. Whether the entries are zeros and ones is
/// checked elsewhere (InputContents::isZeroOne). `program` must be sound otherwise.
std::vector<std::string> packingFaults(const TableProgram &program);

} // namespace mpf
