// LAYOUT CHOICE for the tables of a whole program, where a GPU's kernels gain by it: inputs are
// laid out when they are bound, messages by the operation that writes them (storage_order.h).
//
// For operations that lose much time to the present storage orders, DeviceCosts::layoutCandidates
// proposes other ones. A proposal is taken when the modelled time of all operations and chains that
// touch those tables falls; otherwise only its part for tables that no other operation touches is
// tried. Operations are visited from the last to the first, so that a consumer chooses before its
// producer, and once more if their tables were changed meanwhile. No table is ever rearranged in
// memory; operations, memory and answers stay the same.
//
// Runs as the last pass. Large results keep their order, because the host would take longer to read
// them in another order than a kernel gains. Tables that a loop accumulates keep their order too;
// splits of a sum are stored like the sum.
#pragma once

#include "codegen/plan/program/device_costs.h"
#include "codegen/plan/program/search_stop.h"
#include "codegen/plan/program/table_program.h"

namespace mpf {

/// When `stop` says so, the layouts found until then are kept; a time limit of `stop` starts anew
/// here.
void passLayOutTables(TableProgram &program, DeviceCosts &costs,
                      const SearchStop &stop = SearchStop(SearchLimits()));

} // namespace mpf
