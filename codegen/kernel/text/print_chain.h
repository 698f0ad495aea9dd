// Chain plan -> text; read_chain.h reads it back. Doubles are exact; comments are for people.
#pragma once

#include "codegen/kernel/plan/chain_plan.h"

#include <string>

namespace mpf {

/// The text ends with a newline. With a `program`, comments name variables and tables.
std::string printChain(const ChainPlan &plan, const TableProgram *program = nullptr);

} // namespace mpf
