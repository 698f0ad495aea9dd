// TABLE PROGRAM: the waist of mpf. A plan is a list of operations in static single assignment;
// each takes tables, combines them, reduces over some variables in a semiring, gives one table.
//
// Partition function, marginals, MPE, slices and sweeps are different programs in this same form;
// nothing after the plan knows which query it serves. Plain data: build_*.h make it,
// print_program.h / read_program.h are its text form, verify_program.h its invariants.
//
// Layout: every scope is sorted by one global order of the variables (ICS'08 section 3), most
// significant first, and every table is row-major over its scope, unless a GPU gains by another
// order of the same variables (storage_order.h). Hence variables that are eliminated first are
// least significant everywhere, and the reduced variables of an upward operation are the least
// significant ones of its bucket address. No message is ever rearranged between the bucket that
// writes it and the bucket that reads it. (Downward operations of a marginals program reduce any
// variables; every scope still follows the global order.)
//
// Slices: a program that does not fit its memory bound conditions on the first variables of the
// order, one loop around the operations for each (slice_levels.h); marginals may have a second one
// over the same variable (reentered_loops.h). Inputs are stored whole; since
// sliced variables are most significant, a slice of one is a contiguous stretch, never a copy.
//
// Shared tables: a table may be the *same as* an earlier one (pass_share_tables.h): over other
// variables, but with the same entries in the same places. It takes no memory and its operation is
// not run; what the program means does not depend on it.
//
// Split sums: where an operation would have too few results to keep a device busy, its reduced
// addresses are cut into `splits` stretches. It writes a table of its scope for each of them, one
// after another, and a second operation, which reduces no variable, adds the splits up
// (split_k.h).
#pragma once

#include "dsl/model/model.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// The most operands one operation may have; buckets with more are multiplied in groups first
/// (codegen/plan/passes/pass_bound_operands.h), so that kernels and their argument lists stay
/// bounded.
inline constexpr size_t kMaxOperands = 8;

/// The most variables of one scope. Variables of extent 2 or more never come near it (2^62 entries
/// are the limit there); it bounds what a hostile text can ask for.
inline constexpr size_t kMaxScopeVariables = 1024;

struct ProgramVariable {
  std::string name;
  uint32_t extent = 0;
  bool sliced = false; ///< the variable of a loop (slice_levels.h): these come first in the order
  VarId copyOf;        ///< valid: stands for a sliced variable in results (slice_copies.h); if it
                       ///< is sliced itself, in a second loop (reentered_loops.h)
};

/// One table: an input (a factor restricted to the observed states, or a table whose entries are
/// all `fill`, or the identity of two variables) or the result of an operation. Exactly one of
/// factor, fill, isIdentity, producer is set.
struct ProgramTable {
  std::string name;           ///< the factor's name, or "m<k>" for a message
  std::vector<VarId> scope;   ///< global order, most significant first
  uint64_t sizeElems = 0;     ///< stored entries: the product of the extents of scope; of results
                              ///< without the sliced variables, times `splits`
  FactorId factor;            ///< inputs: the factor of the model whose values it takes
  std::optional<double> fill; ///< inputs for variables that occur in no factor: 1 or extents
  bool isIdentity = false;    ///< inputs: 1 where both variables of the scope are in one state
  OpId producer;              ///< results: the operation that writes it
  TableId sameAs;             ///< valid: an earlier table that is stored in place of this one
  /// Empty when the table is stored in the order of its scope; else positions in `scope`, in
  /// storage order, most significant first. A table that is the same as another one is stored like
  /// that one.
  std::vector<uint32_t> layout;
  uint32_t splits = 1; ///< results: of a sum that was cut, one after another
  /// Inputs: a GPU stores one bit for each entry (pass_pack_tables.h). A table that is the same as
  /// another one is stored like that one.
  bool packed = false;
  bool kept = false; ///< results: nothing else lies in its memory, so it outlasts the run and
                     ///< need not be computed again (pass_keep_messages.h)

  bool isInput() const { return !producer.valid(); }
};

/// Work of an operation when every operand is read once. The floor of every kernel is computed from
/// these counts. They saturate at UINT64_MAX.
struct OperationCost {
  uint64_t readElems = 0;    ///< entries of all operands
  uint64_t writtenElems = 0; ///< entries of the result
  uint64_t addressCount = 0; ///< bucket addresses: product of the extents of all its variables
  uint64_t combineOps = 0;   ///< multiplications, (operands - 1) per address
  uint64_t reduceOps = 0;    ///< additions, one per address when something is reduced
};

/// result(O) = reduce over `reduced` of combine(operands); O is the result's scope.
struct Operation {
  TableId result;
  std::vector<TableId> operands; ///< 1..kMaxOperands tables, all defined earlier
  Semiring semiring;             ///< per operation: marginal MAP mixes two
  std::vector<VarId> reduced;    ///< global order; empty: a plain product
  OperationCost cost;
};

/// A result of the program for the user: `table` with its scope in the order that was asked for;
/// a copy in it stands for its original.
/// Observed variables are left out of `scope`: the table is the slice at their states. A marginals
/// program has the output "evidence" (no scope) first, then one per unobserved variable.
struct ProgramOutput {
  std::string name;
  TableId table;
  std::vector<VarId> scope; ///< the user's order; a permutation of the table's scope
  bool normalised = false;  ///< divide by the sum of its entries when reading (posteriors)
};

/// How to choose the state of one variable once all later ones are known (bucket elimination's
/// forward phase, Dechter 1999), in list order: the product of `tables` is a row of one value for
/// each of its states, and QueryTraits::decoding takes one from it.
struct TracebackStep {
  VarId variable;
  std::vector<TableId> tables; ///< every other variable of their scopes has an earlier step
};

/// Consecutive operations that a GPU may do in one kernel (chain_rules.h): each takes the result of
/// the one before, the first one `message`. They can be run one by one just as well.
struct ProgramChain {
  TableId message;
  OpId first;
  uint32_t count = 0; ///< operations, 2..kMaxChainSteps

  OpId operation(uint32_t step) const { return OpId{first.index() + step}; }
  std::vector<OpId> operations() const {
    std::vector<OpId> list;
    for (uint32_t step = 0; step < count; ++step)
      list.push_back(operation(step));
    return list;
  }
};

struct TableProgram {
  std::string name; ///< the query's name
  QueryKind kind = QueryKind::Evidence;
  std::vector<ProgramVariable> variables; ///< same ids as in the model; copies after them
  uint64_t searchRounds = 0; ///< of search behind the order; SearchLimits::rounds repeats it; 0:
                             ///< none or more than rounds
  std::vector<VarId> order;  ///< global order, most significant first: the variables in scopes
  /// One case; it has no likelihoods, which are tables here. Observed variables are restricted
  /// away: they are in no scope of this program. So are variables of extent 1, unless an output
  /// needs them.
  Evidence evidence;
  std::vector<ProgramTable> tables;
  std::vector<Operation> operations; ///< in execution order
  std::vector<ProgramChain> chains;  ///< in execution order; they share no operation
  std::vector<ProgramOutput> outputs;
  std::vector<TracebackStep> traceback; ///< of queries that decode

  const ProgramTable &table(TableId id) const { return tables[id.index()]; }
  const Operation &operation(OpId id) const { return operations[id.index()]; }
  bool observes(VarId id) const { return evidence.observes(id); }
  /// The table whose memory holds the entries of `id`: itself or the one it is the same as.
  TableId stored(TableId id) const { return table(id).sameAs.valid() ? table(id).sameAs : id; }
  /// Operations whose result is the same as an earlier table are not run.
  bool runs(const Operation &operation) const { return !table(operation.result).sameAs.valid(); }
};

} // namespace mpf
