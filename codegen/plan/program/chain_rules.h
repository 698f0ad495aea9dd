// WHAT A CHAIN IS: a run of operations in which one message flows through small tables, written
// and read once each, so that a kernel may keep it on chip (codegen/kernel/plan/chain_plan.h).
//
// The rules that the pass builds on and that a program is verified by. Whether a chain pays, and
// whether a page of it fits a GPU, is not said here.
#pragma once

#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/table_program.h"

#include <string>
#include <vector>

namespace mpf {

/// Of a program whose ids and scopes are in range. Holds a reference to it; immutable.
class ChainRules {
public:
  explicit ChainRules(const TableProgram &program);

  /// Why `operation` cannot be a step that takes `message`, in one clause; empty when it can:
  /// it is run and accumulates nothing, has the message once, reduces variables of the message.
  std::string stepFault(OpId operation, TableId message) const;

  /// Why `next` cannot follow `operation`; empty when it can: it is the only one that reads the
  /// result, which is not kept, in the same semiring and the same loop.
  std::string linkFault(OpId operation, OpId next) const;

  /// What is wrong with a chain that the program marks; empty when nothing is.
  std::string chainFault(const ProgramChain &chain) const;

private:
  const TableProgram &program_;
  const SliceLevels levels_;
  std::vector<uint32_t> readers_; ///< by table: operands, outputs, tables that are the same
};

/// The first fault of a program's chains, as one sentence; empty when there is none.
std::string findChainFault(const TableProgram &program);

} // namespace mpf
