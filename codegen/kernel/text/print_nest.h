// Nest plan -> text; read_nest.h reads it back. Doubles are exact; comments are for people.
#pragma once

#include "codegen/kernel/plan/nest_plan.h"

#include <string>

namespace mpf {

/// The text ends with a newline. Comments hold the page sequence of the first pages
/// (page_sequence.h) and, with a `program`, the names of the digits' variables and of the tables.
std::string printNest(const NestPlan &plan, const TableProgram *program = nullptr);

} // namespace mpf
