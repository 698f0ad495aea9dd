// Nest plan -> text; read_nest.h reads it back. Doubles are exact; comments are for people.
#pragma once

#include "codegen/kernel/plan/nest_plan.h"

#include <string>

namespace mpf {

/// Ends with a newline. The page tables of the first pages stand in comments; with a `program`,
/// comments name the digits' variables and the tables.
std::string printNest(const NestPlan &plan, const TableProgram *program = nullptr);

} // namespace mpf
