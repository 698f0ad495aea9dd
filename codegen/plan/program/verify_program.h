// Checks the invariants of a table program: after every pass, and after reading one from text.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <optional>
#include <string>

namespace mpf {

/// The rules that must hold already; both members add rules that hold from a certain pass on.
struct VerifyStages {
  /// From bound-operands on: operations have at most kMaxOperands operands, an accumulation has one
  /// operand, and queries that decode have their traceback.
  bool bounded = true;
  /// From nest-operations on: the operations of each loop are contiguous, and marginals have all
  /// their outputs.
  bool nested = true;
};

/// Returns the first fault of the program as one sentence, or nothing. Checks that
/// - ids are in range, every table has one origin, results are written once and read later (static
///   single assignment);
/// - the order has each variable of a scope once, scopes are sorted by it, sizes are right;
/// - a result's scope is the union of its operands' scopes less the reduced variables; in upward
///   programs those are the least significant ones; addresses and entries read are counted rightly;
/// - every input enters the product of every output exactly once (a posterior: every input of its
///   connected component);
/// - a variable is reduced only after all tables that hold it have been multiplied in (running
///   intersection);
/// - sliced variables come first in the order; each is reduced alone, by an operation with one
///   operand that depends on no deeper loop;
/// - the operations of a loop are contiguous, and an accumulated table is read only outside its
///   loop;
/// - every copy is tied to its original by one identity, and there are no other identities;
/// - a table that is the same as another one names an earlier table, which is stored. It is
///   computed in the same way, from operands that are stored in the same places;
/// - kept tables are results that no slice overwrites; packed tables can be packed
///   (packed_tables.h);
/// - tables are stored as in storage_order.h, and sums are split as in split_k.h;
/// - chains obey chain_rules.h, follow each other and share no operation;
/// - outputs are results with permuted scopes, as the kind of query has them (verify_outputs.h);
/// - every operation is needed for an output or the traceback;
/// - the traceback chooses every variable that is neither observed, sliced nor held once, and each
///   step depends only on variables that are chosen before.
///
/// Equal or packed tables have the right entries only for one model, so match_model.h checks that
/// (codegen/plan/initial/match_model.h). Products are compared by 64-bit sums of hashes: a wrong
/// program passes with a probability of about 2^-64. Memory and time are about linear in the
/// program.
std::optional<std::string> verifyProgram(const TableProgram &program,
                                         const VerifyStages &stages = {});

} // namespace mpf
