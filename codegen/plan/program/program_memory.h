// MEMORY PLAN: where every table of a program lies, fixed before anything is allocated.
//
// Inputs lie one after the other in the input arena (uploaded once, kept over runs). Results share
// the work arena: a result's stretch is free again after the last operation that reads it; outputs
// and tables of the traceback live to the end. Deterministic best fit: the smallest hole that is
// large enough, the lowest one among equals. Offsets are aligned as dsl/support/table_layout.h
// says. The result of a chain shares no byte with the tables that the chain reads, because one
// kernel reads them while it writes the result.
#pragma once

#include "codegen/plan/program/table_program.h"
#include "dsl/model/model.h"

#include <vector>

namespace mpf {

struct MemoryPlan {
  std::vector<uint64_t> offsetBytes; ///< by table, in the input arena or in the work arena
  uint64_t inputArenaBytes = 0;
  uint64_t workArenaBytes = 0;
  /// Bytes that the run needs in all; UINT64_MAX when the number does not fit 64 bits.
  uint64_t peakBytes = 0;
};

/// The operations during which a table must not be overwritten.
struct TableLifetime {
  size_t first = 0; ///< 0 for inputs
  size_t last = 0;  ///< operations.size(): to the end
};

/// For every table, when it is in use:
/// - usually from the operation that writes it to the last one that reads it;
/// - inputs, outputs and tables of the traceback: to the end;
/// - an unused result: during its own operation;
/// - a table that is accumulated over a loop: from the first operation of the loop on;
/// - a table that a loop reads from outside: to the last operation of the loop, because the next
///   iteration reads it again;
/// - a kept table: from the first operation on;
/// - a table that is the same as another one: as long as that one.
std::vector<TableLifetime> tableLifetimes(const TableProgram &program);

/// True when some product may be negative, as far as the values are known. Tables in log form then
/// need a sign byte for every entry (bundle.h: bufferBytes). Programs that add tables need none:
/// they store plain values or logarithms as they are. Planner, bundle and memory estimates all use
/// this rule; it gives the same answer for every program of one query.
bool hasSignedProducts(const TableProgram &program, const Model &model);

/// Makes the memory plan; allocates no table. When the peak does not fit 64 bits, the offsets are
/// empty.
/// `signedValues`: hasSignedProducts().
MemoryPlan planMemory(const TableProgram &program, ElementType type, bool signedValues = false);

/// log2 of the bytes alive at the worst moment, for programs of any size.
double log2PeakBytes(const TableProgram &program, ElementType type);

} // namespace mpf
