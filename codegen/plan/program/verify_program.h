// Invariants of a table program, checked after every pass and after reading one from text.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <optional>
#include <string>

namespace mpf {

/// Rules that hold only from certain passes on.
struct VerifyStages {
  bool bounded = true; ///< operand counts are limited to kMaxOperands: from bound-operands on
  bool nested = true;  ///< operations follow the loops: from nest-operations on
};

/// The first fault of the program as one sentence, or nothing. Checks that
/// - ids are in range, every table has one origin, results are written once and read later (SSA);
/// - the order has each variable of a scope once, scopes are sorted by it, sizes are right;
/// - a result's scope is the union of its operands' less the reduced variables; in upward programs
///   those are the least significant ones; costs are right; operand counts are bounded;
/// - every input enters the product of every output exactly once (marginals: every input of the
///   connected part), and a variable is reduced only once all tables that hold it have been
///   multiplied in (running intersection);
/// - sliced variables come first in the order; one is reduced alone, by an operation with one
///   operand that depends on no deeper loop; the loops are one nest, and what is accumulated in a
///   loop is read outside it;
/// - every copy is tied to its original by one identity, and there are no other identities;
/// - a table is the same as an earlier one that is stored, computed in the same way from operands
///   that are stored in the same places; kept tables are results that no slice overwrites;
/// - tables are stored as storage_order.h says;
/// - split sums are cut and added up as split_k.h says;
/// - chains are as chain_rules.h says, in order, and share no operation;
/// - outputs are results with permuted scopes, as many as the kind of query has (verify_outputs.h);
///   traceback steps know all earlier variables.
///
/// The counting arguments compare 64-bit sums of hashes: linear time, and a wrong program passes
/// with probability 2^-64. Memory and time are linear in the program.
std::optional<std::string> verifyProgram(const TableProgram &program,
                                         const VerifyStages &stages = {});

} // namespace mpf
