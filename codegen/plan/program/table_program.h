// Defines the table program, the form in which a plan is passed from the planner to the kernels. It
// is a list of operations in static single assignment; each multiplies tables (combines them, in
// the semiring), reduces the product over some variables and writes one table.
//
// Partition function, marginals, MPE and sliced queries are different programs in this same form.
// Programs are plain data: build_program.h makes them, print_program.h and read_program.h have
// their text form, verify_program.h checks their invariants.
//
// Layout: every scope is sorted by one global order of the variables (ICS'08 section 3), most
// significant first. Every table is row-major over its scope, unless a GPU gains by another order
// of the same variables (storage_order.h). Hence variables that are eliminated first are least
// significant everywhere, and the reduced variables of an upward operation are the least
// significant ones of its bucket address. No message is ever rearranged between the bucket that
// writes it and the bucket that reads it. (Downward operations of a marginals program reduce any
// variables; every scope still follows the global order.)
//
// Slices: a program that does not fit its memory bound may condition on the first variables of the
// order; each of them has a loop around operations (slice_levels.h). A marginals program may have
// further loops over the same variable (reentered_loops.h). Inputs are stored whole. Since sliced
// variables are most significant, a slice of an input is a contiguous stretch, never a copy.
//
// Shared tables: a table may be the *same as* an earlier one (pass_share_tables.h): over other
// variables, but with the same entries in the same places. It takes no memory and its operation
// does not run. Sharing does not change what the program means.
//
// Split sums: an operation with too few results to keep a device busy has its reduced addresses cut
// into `splits` stretches. It writes one table of its result's scope for each stretch, one after
// another. A second operation, which reduces no variable, adds up the splits (split_k.h).
#pragma once

#include "dsl/model/model.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// The most operands of one operation. The tables of larger buckets are first multiplied in groups
/// (codegen/plan/passes/pass_bound_operands.h), so that the argument lists of kernels are bounded.
inline constexpr size_t kMaxOperands = 8;

/// The most variables of one scope. It bounds what a hostile text can ask for; tables over that
/// many variables of extent 2 or more would exceed any memory.
inline constexpr size_t kMaxScopeVariables = 1024;

struct ProgramVariable {
  std::string name;
  uint32_t extent = 0;
  bool sliced = false;  ///< the variable of a loop (slice_levels.h): these come first in the order
  VarId copyOf;         ///< valid: the sliced variable that this is a copy of. The copy replaces it
                        ///< in results (slice_copies.h) or, if the copy is sliced too, in a second
                        ///< loop (reentered_loops.h)
  bool unasked = false; ///< of marginals: the query needs no posterior of it
};

/// One table: an input (a factor restricted to the observed states, a table whose entries are all
/// `fill`, or the identity of two variables) or the result of an operation. Exactly one of factor,
/// fill, isIdentity and producer is set.
struct ProgramTable {
  std::string name;           ///< the factor's name, or "m<k>" for a message
  std::vector<VarId> scope;   ///< global order, most significant first
  uint64_t sizeElems = 0;     ///< stored entries: the product of the extents of the scope. Results
                              ///< leave out the sliced variables and are multiplied by `splits`
  FactorId factor;            ///< inputs: the factor of the model whose values it takes
  std::optional<double> fill; ///< inputs for variables that occur in no factor: the semiring's one,
                              ///< or a constant for their extents; or the one of an empty product
  bool isIdentity = false;    ///< inputs: one where both variables are in the same state, else zero
  OpId producer;              ///< results: the operation that writes it
  TableId sameAs;             ///< valid: an earlier table that is stored in place of this one
  /// Empty when the table is stored in the order of its scope; else positions in `scope`, in
  /// storage order, most significant first. A table that is the same as another one is stored like
  /// that one.
  std::vector<uint32_t> layout;
  uint32_t splits = 1; ///< results: how many splits of a sum it holds, one after another
  /// Inputs: a GPU stores one bit for each entry (pass_pack_tables.h). A table that is the same as
  /// another one is stored like that one.
  bool packed = false;
  bool kept = false; ///< results: no other table uses its memory, so it outlasts the run and need
                     ///< not be computed again (pass_keep_messages.h)

  bool isInput() const { return !producer.valid(); }
};

/// The work of one run of an operation (in one slice) when every operand is read once. The planner
/// compares operations by these counts, and its floor of their times (DeviceCosts::operationUs)
/// follows from them. They saturate at UINT64_MAX.
struct OperationCost {
  uint64_t readElems = 0;    ///< entries of all operands
  uint64_t writtenElems = 0; ///< entries of the result
  uint64_t addressCount = 0; ///< bucket addresses: the product of the extents of all its variables
                             ///< that are not sliced, times the splits that it reads
  uint64_t combineOps = 0;   ///< multiplications: operands - 1 for each address
  uint64_t reduceOps = 0;    ///< additions: one for each address if variables or splits are reduced
};

/// result(S) = reduce over `reduced` of combine(operands), where S is the result's scope: all
/// variables of the operands that are not reduced.
struct Operation {
  TableId result;
  std::vector<TableId> operands; ///< 1..kMaxOperands tables, all defined earlier
  Semiring semiring;             ///< today all operations have the query's
  std::vector<VarId> reduced;    ///< global order; empty: a plain product
  OperationCost cost;
};

/// A result of the program for the user: `table` with its scope in the order that the query gives.
/// A copy in the scope represents its original. Observed variables are left out of `scope`: the
/// table is the slice at their states.
///
/// A marginals program has the output "evidence" first, over the held variables (held_variables.h),
/// then one for each variable that is neither observed nor unasked, in the order of the variables.
/// The scope of the latter is the held variables that it depends on, then the variable.
///
/// A program of joined queries has the output "evidence" first, a number, then one for each query.
struct ProgramOutput {
  std::string name;
  TableId table;
  std::vector<VarId> scope; ///< the user's order; a permutation of the table's scope
  bool normalised = false;  ///< a posterior: the reader divides by the sum of the entries
  /// A posterior: the number of first variables of `scope` for each of whose states the reader
  /// divides apart (Query::rowVariables), without observed ones.
  uint32_t rowVariables = 0;
};

/// A posterior that pass_downward.h makes an output of.
struct AskedPosterior {
  std::string name;         ///< that of the output
  std::vector<VarId> scope; ///< the user's order, without observed variables
  uint32_t rowVariables = 0;
};

/// The choice of the state of one variable when those of all earlier steps are chosen (the forward
/// phase of bucket elimination, Dechter 1999). The product of `tables`, at these states, has one
/// value for each state of the variable; QueryTraits::decoding chooses one of them. The scopes may
/// hold variables that later steps choose, because they were eliminated jointly with it
/// (pass_join_buckets.h). The values are the best over those.
struct TracebackStep {
  VarId variable;
  std::vector<TableId> tables;
};

/// Consecutive operations that a GPU may compute in one kernel (chain_rules.h). Each reads the
/// result of the one before; the first one reads `message`. They can also run one by one.
struct ProgramChain {
  TableId message;
  OpId first;
  uint32_t count = 0; ///< number of operations, 2..kMaxChainSteps

  OpId operation(uint32_t step) const { return OpId{first.index() + step}; }
  std::vector<OpId> operations() const {
    std::vector<OpId> list;
    for (uint32_t step = 0; step < count; ++step)
      list.push_back(operation(step));
    return list;
  }
};

/// A plan. Ids are indices into its lists; the invariants are listed in verify_program.h.
struct TableProgram {
  std::string name; ///< the query's name
  QueryKind kind = QueryKind::Evidence;
  std::vector<ProgramVariable> variables; ///< same ids as in the model; copies after them
  /// Rounds of the search that found the order: SearchLimits::rounds repeats it. 0: there were
  /// none, or rounds alone do not repeat it.
  uint64_t searchRounds = 0;
  /// Operations share memory only with those whose results they need anyway
  /// (pass_separate_branches.h).
  bool separateBranches = false;
  std::vector<VarId> order; ///< global order, most significant first: the variables in scopes
  /// Evidence of one case. Likelihoods (soft evidence) are tables here. Observed variables are in
  /// no scope of this program, because factors are restricted to their states. Variables of extent
  /// 1 are in no scope either, unless an output has them.
  Evidence evidence;
  std::vector<ProgramTable> tables;
  std::vector<Operation> operations; ///< in execution order
  std::vector<ProgramChain> chains;  ///< in execution order; they share no operation
  std::vector<ProgramOutput> outputs;
  /// Posteriors of joined queries that are no outputs yet. An input or a product holds the scope of
  /// each. Every posterior of a marginals program is asked for, and not listed.
  std::vector<AskedPosterior> asked;
  std::vector<TracebackStep> traceback; ///< of queries that decode an assignment; in this order

  const ProgramTable &table(TableId id) const { return tables[id.index()]; }
  const Operation &operation(OpId id) const { return operations[id.index()]; }
  bool observes(VarId id) const { return evidence.observes(id); }
  /// The table whose memory holds the entries of `id`: itself or the one that it is the same as.
  TableId stored(TableId id) const { return table(id).sameAs.valid() ? table(id).sameAs : id; }
  /// Whether the operation runs; it does not if its result is the same as an earlier table.
  bool runs(const Operation &operation) const { return !table(operation.result).sameAs.valid(); }
};

} // namespace mpf
