// Reads and sets the storage order of tables: which variable of a table is fastest in memory.
//
// A scope follows the global order and lists the variables that a table depends on. The entries are
// row-major over the same variables in the table's storage order, which is that of the scope unless
// pass_lay_out_tables.h chose another one. Storage orders do not change what a program means: only
// code that turns states into places of entries asks for them. Sliced variables stay the most
// significant ones, so that a slice of an input is one stretch.
#pragma once

#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/table_program.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mpf {

/// Returns the variables of the table's scope in storage order, slowest first. A table that is the
/// same as another one has the storage order of that one.
std::vector<VarId> storageOrder(const TableProgram &program, TableId id);

/// Returns the storage order without the sliced variables: that of one slice.
std::vector<VarId> orderInSlice(const TableProgram &program, TableId id);

/// Returns the value of ProgramTable::layout for a scope that is stored in `order`; nothing when
/// `order` is no permutation of the scope.
std::optional<std::vector<uint32_t>> layoutFor(const std::vector<VarId> &scope,
                                               std::span<const VarId> order);

/// Stores a table in this order from now on. False, and nothing changes, when `order` is no
/// permutation of its scope.
bool setStorageOrder(ProgramTable &table, std::span<const VarId> order);

/// Returns, by loop, the distance in entries from the slice of a table to the next, when the loop's
/// variable goes to its next state. Empty: the table has one slice, or holds the current one only,
/// as results do. `levels` are those of `program`.
std::vector<uint64_t> sliceStridesElems(const TableProgram &program, const SliceLevels &levels,
                                        TableId table);

/// Returns the first fault in how tables are stored, as one sentence; empty: none. Expects that
/// `program` is sound otherwise. A table that is an identity, or the same as another one, has no
/// separate order. Sliced variables come first in an order, as in the scope. An accumulated table
/// is stored like its sum.
std::string findStorageFault(const TableProgram &program);

} // namespace mpf
