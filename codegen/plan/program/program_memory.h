// MEMORY PLAN: where every table of a program lies, fixed before anything is allocated.
//
// Inputs lie one after the other in the input arena (uploaded once, kept over runs). Results share
// the work arena: a result's stretch is free again after the last operation that reads it; outputs
// and tables of the traceback live to the end. Deterministic best fit: the smallest hole that is
// large enough, the lowest one among equals. Offsets are aligned as dsl/support/table_layout.h
// says. The result of a chain shares no byte with what the chain reads, even where that is free
// when its operations run one by one: one kernel writes the one while it reads the other.
#pragma once

#include "codegen/plan/program/table_program.h"
#include "dsl/model/model.h"

#include <vector>

namespace mpf {

struct MemoryPlan {
  std::vector<uint64_t> offsetBytes; ///< by table, in the input arena or in the work arena
  uint64_t inputArenaBytes = 0;
  uint64_t workArenaBytes = 0;
  /// What the run needs in all; UINT64_MAX when it does not fit 64 bits.
  uint64_t peakBytes = 0;
};

/// The operations during which a table must not be overwritten.
struct TableLifetime {
  size_t first = 0; ///< 0 for inputs
  size_t last = 0;  ///< operations.size(): to the end
};

/// By table. From the operation that writes it to the last one that reads it; inputs, outputs and
/// tables of the traceback to the end; an unused result for its own operation only. In a loop:
/// an accumulated table lives from the loop's first operation on, and a table that comes from
/// outside to its last one, for the next iteration needs it again. A kept table lives from the
/// first operation on, one that is the same as another as long as that.
std::vector<TableLifetime> tableLifetimes(const TableProgram &program);

/// Some product may be negative: tables that hold logarithms need a sign byte beside every entry
/// (bundle.h: bufferBytes). Of values that are known; where tables are added they are stored as
/// they are, or are logarithms themselves, and need none. The one rule for the planner, the bundle
/// and whoever says what a plan takes; every program of a query comes to the same.
bool hasSignedProducts(const TableProgram &program, const Model &model);

/// Allocates nothing but the plan itself. When the peak does not fit 64 bits the offsets are empty.
/// `signedValues`: hasSignedProducts().
MemoryPlan planMemory(const TableProgram &program, ElementType type, bool signedValues = false);

/// log2 of the bytes alive at the worst moment, for programs of any size.
double log2PeakBytes(const TableProgram &program, ElementType type);

} // namespace mpf
