// How the tables of a sliced program move on with its loops.
#pragma once

#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/table_program.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// By loop, how many entries further the slice of a table begins when the loop's variable goes to
/// its next state: sliced variables are the most significant ones of an input. Empty: the table has
/// one slice, or holds the current one only, as results do. `levels` are those of `program`.
std::vector<uint64_t> sliceStridesElems(const TableProgram &program, const SliceLevels &levels,
                                        TableId table);

} // namespace mpf
