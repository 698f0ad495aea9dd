// Plans the memory of a program: gives every table an offset before anything is allocated.
//
// Inputs lie one after the other in the input arena (uploaded once, kept over runs). Results share
// the work arena: a result's stretch is free again after the last operation that reads it. Outputs
// and tables of the traceback live to the end. Stretches are found by best fit (arena.h), the same
// on every machine. Offsets are aligned by the rules of dsl/support/table_layout.h in every arena.
// The result of a chain shares no byte with the results that the chain reads, because one kernel
// reads them while it writes. A program with separate branches (pass_separate_branches.h) finds
// stretches by branch (branch_arena.h).
#pragma once

#include "codegen/plan/program/table_program.h"
#include "dsl/model/model.h"

#include <vector>

namespace mpf {

struct MemoryPlan {
  std::vector<uint64_t> offsetBytes; ///< by table, in the input arena or in the work arena
  uint64_t inputArenaBytes = 0;
  uint64_t workArenaBytes = 0;
  /// Bytes that the run needs: both arenas. UINT64_MAX, here and in both arenas, when the tables
  /// take more than 2^61 bytes.
  uint64_t peakBytes = 0;
};

/// The memory that a program may take.
struct MemoryLimit {
  uint64_t bytes = UINT64_MAX; ///< bound on MemoryPlan::peakBytes
  ElementType type = ElementType::F64;
  bool signedValues = false; ///< hasSignedProducts
};

/// The operations, by index, during which a table must not be overwritten; both ends included.
struct TableLifetime {
  size_t first = 0; ///< 0 for inputs
  size_t last = 0;  ///< operations.size(): the end of the run
};

/// Returns the time that every table is in use:
/// - usually from the operation that writes it to the last one that reads it;
/// - inputs, outputs and tables of the traceback: to the end;
/// - an unused result: during its own operation;
/// - a table that is accumulated over a loop: from the first operation of the loop on;
/// - a table that a loop reads from outside: to the last operation of the loop, because the next
///   iteration reads it again;
/// - a kept table: from the first operation to the end;
/// - a table that is the same as another one: as long as that one.
std::vector<TableLifetime> tableLifetimes(const TableProgram &program);

/// Whether a product may be negative: the program multiplies floating point, and a factor has a
/// negative value or may be given one (Factor::mayBeNegative). Other values that the host program
/// binds later are not known here. Tables in log form then need a sign byte for every entry
/// (bundle.h: bufferBytes). Programs that combine by addition need none: they store plain values or
/// logarithms as they are. Planner, bundle and memory estimates all use this rule; it gives the
/// same answer for every program of one query.
bool hasSignedProducts(const TableProgram &program, const Model &model, ElementType type);

/// Makes the memory plan of a program whose loops are nested (pass_nest_operations.h); allocates no
/// table. When the tables take more than 2^61 bytes, there are no offsets. `signedValues`: count
/// one sign byte for each entry; should be hasSignedProducts().
MemoryPlan planMemory(const TableProgram &program, ElementType type, bool signedValues = false);

/// Returns log2 of the bytes of all tables, an upper bound of log2PeakBytes(). A size that
/// saturates is above any bound.
double log2AllBytes(const TableProgram &program, ElementType type);

/// Returns log2 of the bytes of the tables in use at the worst moment, for programs of any size;
/// without sign bytes, alignment and holes.
double log2PeakBytes(const TableProgram &program, ElementType type);

} // namespace mpf
