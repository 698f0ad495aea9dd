// Which input tables of a program hold the same entries. Tables are compared as they are stored:
// restricted to the evidence and permuted to the global order. The names of variables do not
// matter.
//
// Stationary networks repeat tables: the slices of a hidden Markov model, the cells of a grid, the
// members of a `for` family. Two tables are equal only if they stay equal in every later run: a
// table that a session may bind anew, or whose observed state it may change, equals only the tables
// that change together with it.
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
  /// `finalTables`: no session binds other values to factors that have values. If it is false, no
  /// table equals another. The evidence may change in either case: the simplifier has already
  /// removed evidence that is final.
  InputContents(const Model &model, bool finalTables);
  /// For a program without its model: no factor is known, and every one may change.
  InputContents() = default;

  /// For every table: the first input with the same entries, or the table itself if there is none
  /// or it is a result. `program` must belong to the model (match_model.h).
  std::vector<TableId> firstEqual(const TableProgram &program) const;

  /// True for inputs that sessions usually change: those that the host program binds, and those
  /// that are restricted to an observed state. (A factor with values may be bound anew too, but
  /// rarely is.)
  bool mayChange(const TableProgram &program, TableId id) const;

  /// True when every entry of an input is the semiring's zero or one and stays so: all values of
  /// its factor are, and at least one of them is zero.
  bool isZeroOne(const TableProgram &program, TableId id) const;

private:
  using Hashed = std::pair<uint64_t, TableId>; ///< hash of the entries in any order
  /// The inputs that share their hash with another one; by hash, then as they are stored.
  std::vector<Hashed> suspects(const TableProgram &program) const;

  const Model *model_ = nullptr; ///< null: not known
  std::vector<uint64_t> hashes_; ///< by factor, of the entries in any order; empty: not final
};

} // namespace mpf
