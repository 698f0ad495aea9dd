// Finds which input tables of a program hold the same entries, and which may change. Tables are
// compared as they are stored: restricted to the evidence and permuted to the global order. The
// names of variables do not matter.
//
// Stationary networks repeat tables: the time steps of a hidden Markov model, the cells of a grid,
// the members of a `for` family. Two tables are equal only if they stay equal in every later run. A
// table that a session may bind anew equals no other one; a table that is restricted to observed
// states equals only tables that are restricted to the same variables.
#pragma once

#include "codegen/plan/program/table_program.h"
#include "dsl/model/model.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace mpf {

/// Immutable, so safe to share between threads; holds a reference to the model. Construction takes
/// time linear in the model's tables (if finalTables). Comparing reads only those tables whose hash
/// of entries, in any order, equals another table's hash, and takes time linear in them. Tables of
/// the same values in the same arrangement are read once.
class InputContents {
public:
  /// `finalTables`: no session binds other values to factors that have values. If it is false, no
  /// factor equals another. The evidence may change in either case: the simplifier has already
  /// removed evidence that is final.
  InputContents(const Model &model, bool finalTables);
  /// Makes contents for a program without its model: no factor is known, and every one may change.
  InputContents() = default;

  /// Returns for every table the first input with the same entries, or the table itself if there is
  /// none or it is a result. Identities of equal extent are always equal, and so are an input and
  /// its reading in a reentered loop. `program` must belong to the model (match_model.h).
  std::vector<TableId> firstEqual(const TableProgram &program) const;

  /// True for inputs that sessions usually change: factors without values, which the host program
  /// binds, and factors that are restricted to an observed state. (A factor with values may be
  /// bound anew too, but rarely is.)
  bool mayChange(const TableProgram &program, TableId id) const;

  /// True when every entry of an input is the semiring's zero or one and stays so. That is the case
  /// if all values of its factor are zero or one, at least one is zero, and tables are final.
  bool isZeroOne(const TableProgram &program, TableId id) const;

private:
  using Hashed = std::pair<uint64_t, TableId>; ///< hash of the entries in any order
  /// The inputs that share their hash with another one; by hash, then as they are stored.
  std::vector<Hashed> suspects(const TableProgram &program) const;
  /// An input, and for each variable the distance, in its factor's values, of two entries that
  /// differ by one in it. A filled table has no variables.
  struct Arrangement {
    TableId table;
    std::vector<uint64_t> steps;
  };
  /// Sets `first` of those of `tables`, which all have these extents, that equal an earlier one.
  void compareEntries(const TableProgram &program, const std::vector<uint32_t> &extents,
                      const std::vector<Arrangement> &tables, std::vector<TableId> &first) const;

  const Model *model_ = nullptr;   ///< null: not known
  std::vector<uint64_t> hashes_;   ///< by factor: of its entries in any order; empty: not final
  std::vector<size_t> sameValues_; ///< by factor: the first one with the same values as declared
};

} // namespace mpf
