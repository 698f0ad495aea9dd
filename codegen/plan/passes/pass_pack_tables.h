// PACKING: constant tables of zeros and ones become one bit per entry on a GPU where its kernels
// gain by it (packed_tables.h).
//
// A constraint over many values, or a deterministic conditional, is as large as any other table and
// says one bit per entry. Kernels bound by device memory read 32 to 128 times less of it, and it
// takes as much less of that memory (bounds and plans still count it whole); kernels bound by
// arithmetic lose, since each entry takes two more instructions, and family mma reads no packed
// table: so it is done where the modelled time of all operations that read the table falls. What
// makes a constant smaller without a kernel's help (equalities, functions, states without support)
// has been done before (codegen/simplify).
//
// Before tables are laid out: the kernels of a packed table may want another layout.
#pragma once

#include "codegen/plan/initial/input_contents.h"
#include "codegen/plan/program/device_costs.h"
#include "codegen/plan/program/search_stop.h"
#include "codegen/plan/program/table_program.h"

namespace mpf {

/// When `stop` says so, the tables found until then are packed.
void passPackTables(TableProgram &program, const InputContents &contents, DeviceCosts &costs,
                    const SearchStop &stop);

} // namespace mpf
