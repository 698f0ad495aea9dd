// Packs constant tables of zeros and ones to one bit per entry on a GPU, where its kernels gain by
// it (packed_tables.h).
//
// A constraint over many values, or a deterministic conditional, is as large as any other table but
// holds one bit of information per entry. Packed, it takes 32 to 128 times less device memory
// (bounds and plans still count it whole), and kernels that are bound by device memory read as much
// less. Kernels that are bound by arithmetic lose, because each entry takes two more instructions.
// The kernels for matrix products (family mma) cannot read packed tables at all. So a table is
// packed only where the predicted time of all operations that read it falls. The simplifier
// (codegen/simplify) has already made constants smaller where no kernel has to know of it
// (equalities, functions, states without support).
//
// Runs before tables are laid out: the kernels of a packed table may gain by another layout.
#pragma once

#include "codegen/plan/initial/input_contents.h"
#include "codegen/plan/program/device_costs.h"
#include "codegen/plan/program/search_stop.h"
#include "codegen/plan/program/table_program.h"

namespace mpf {

/// Replaces the packing of the program. Tries the largest tables only, one after another. When
/// `stop` ends the search, the tables found until then are packed.
void passPackTables(TableProgram &program, const InputContents &contents, DeviceCosts &costs,
                    const SearchStop &stop);

} // namespace mpf
