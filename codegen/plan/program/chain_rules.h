// THE CHAINS OF A PLAN: the rules of dsl/support/chain_link.h, asked of a table program, and those
// that only a plan knows: a step is run, does no part of a sum, and its message is not kept.
//
// pass_find_chains.h builds chains by these rules and verify_program.h checks them. Whether a chain
// saves time, and whether a page of it fits a GPU, is decided elsewhere (device_costs.h).
#pragma once

#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/table_program.h"
#include "dsl/support/chain_link.h"

#include <string>
#include <vector>

namespace mpf {

/// The rules applied to one program, whose ids and scopes must be in range. Keeps a reference to
/// the program; immutable.
class ChainRules {
public:
  explicit ChainRules(const TableProgram &program);

  /// Empty when `operation` can be a step that reads `message`; else the reason, as one clause. A
  /// step is run, does not accumulate, reads the message exactly once and reduces variables of it.
  std::string stepFault(OpId operation, TableId message) const;

  /// Empty when `next` can follow `operation`; else the reason. `next` must be the only reader of
  /// the result, in the same semiring and the same loop, and the result must not be kept.
  std::string linkFault(OpId operation, OpId next) const;

  /// The first fault of a chain that the program marks; empty when it is sound.
  std::string chainFault(const ProgramChain &chain) const;

private:
  ChainLink linkOf(OpId operation, TableId message) const;

  const TableProgram &program_;
  const SliceLevels levels_;
  std::vector<uint32_t> readers_; ///< by table: operands, outputs, tables that are the same
};

/// The first fault of a program's chains, as one sentence; empty when there is none.
std::string findChainFault(const TableProgram &program);

} // namespace mpf
