// LAYOUT CHOICE for the tables of a whole program, where a GPU's kernels gain by it: inputs are
// laid out when they are bound, messages by the operation that writes them (storage_order.h).
//
// Operations that lose much to how their tables are stored are asked how they would store them. A
// wish is granted when the modelled time of all operations and chains that touch those tables
// falls: all of it, or else for the tables that nobody else touches. From the last operation to the
// first, so that producers learn what their consumers chose, and once more where others moved its
// tables since. Nothing is ever rearranged; operations, memory and answers stay.
//
// Last of all passes. Large results stay as they are: to read them in another order takes the host
// longer than a kernel gains. What is accumulated over a loop of a sliced program stays as it is;
// parts of a sum are stored as the sum is.
#pragma once

#include "codegen/plan/program/device_costs.h"
#include "codegen/plan/program/search_stop.h"
#include "codegen/plan/program/table_program.h"

namespace mpf {

/// `times` may be null: tables stay as they are. When `stop` says so, what has been found until
/// then is kept; where it has a time, that begins anew here.
void passLayOutTables(TableProgram &program, DeviceCosts *times,
                      const SearchStop &stop = SearchStop(SearchLimits()));

} // namespace mpf
