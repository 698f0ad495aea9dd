// Which input tables of a program hold the same entries: compared as they are stored (restricted to
// the evidence, permuted to the global order), whatever their variables are called.
//
// Stationary networks repeat tables: the slices of a hidden Markov model, the cells of a grid, the
// members of a `for` family. Equal means equal for good: a table that a session may bind anew, or
// whose observed variable it may change, equals none but those that change with it.
#pragma once

#include "codegen/plan/program/table_program.h"
#include "dsl/model/model.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace mpf {

/// Immutable; holds a reference to the model. Time: linear in the model's tables once, then in
/// those tables of a program for which a hash of the entries (in any order) finds another one.
class InputContents {
public:
  /// `finalTables`: no session binds other values to factors that have some. Else no table equals
  /// another. The evidence of a program may change in any case: what is final was simplified away.
  InputContents(const Model &model, bool finalTables);

  /// By table: the first input with the same entries; itself if there is none, and for results.
  /// `program` is of the model (match_model.h).
  std::vector<TableId> firstEqual(const TableProgram &program) const;

  /// Sessions are expected to change it: an input that is bound by the host program, or restricted
  /// to an observed state. (Those of a factor with values may be bound anew, but need not.)
  bool mayChange(const TableProgram &program, TableId id) const;

  /// All entries of an input are zeros and ones of the program's semiring, for good: its factor's
  /// values are, at least one of them zero, whatever is observed.
  bool isZeroOne(const TableProgram &program, TableId id) const;

private:
  using Hashed = std::pair<uint64_t, TableId>; ///< hash of the entries in any order
  /// The inputs that share their hash with another one; by hash, then as they are stored.
  std::vector<Hashed> suspects(const TableProgram &program) const;

  const Model &model_;
  std::vector<uint64_t> hashes_; ///< by factor, of the entries in any order; empty: not final
};

} // namespace mpf
