// Decides which operations of a table program may form a chain. The rules are those of
// dsl/support/chain_link.h and three that only a plan knows. Every step runs, no step writes or
// adds up splits of a sum, and no message inside the chain is a kept message.
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

/// Applies the rules to one program, whose ids must be in range and whose scopes must follow the
/// global order. Keeps a reference to the program; immutable, so safe to share between threads.
class ChainRules {
public:
  explicit ChainRules(const TableProgram &program);

  /// Returns an empty text when `operation` can be a step that reads `message`; else the reason, as
  /// one clause. A step runs, does not accumulate, has no splits, reads the message exactly once
  /// and reduces only variables of the message.
  std::string stepFault(OpId operation, TableId message) const;

  /// Returns an empty text when `next` can follow `operation`; else the reason, as one clause. Only
  /// `next` may read the result, in the same semiring and the same loop, and the result must not be
  /// a kept message.
  std::string linkFault(OpId operation, OpId next) const;

  /// Returns the first fault of a chain, whose ids may be out of range; empty when it is sound.
  /// Every step and link must be sound, and the numbers of steps and of tables within the bounds of
  /// chain_link.h.
  std::string chainFault(const ProgramChain &chain) const;

private:
  ChainLink linkOf(OpId operation, TableId message) const;

  const TableProgram &program_;
  const SliceLevels levels_;
  std::vector<uint32_t> readers_; ///< by table: number of operands, outputs, traceback steps and
                                  ///< tables with equal entries that refer to it
};

/// Returns the first fault of a program's chains, as one clause; empty when there is none. Chains
/// must also follow each other in execution order and share no operation.
std::string findChainFault(const TableProgram &program);

} // namespace mpf
