// The invariants of a program's head, for the verifiers of all forms.
#pragma once

#include "codegen/bundle/head/program_head.h"

#include <string>

namespace mpf {

/// Returns the first broken rule as a sentence; empty: the head is sound. Rules:
/// - the kind of query is one that is planned;
/// - variables have states, and a label for each state or none;
/// - the evidence is that of one case, with states inside their domains;
/// - columns have the extents of their variables, which are distinct and not observed; params are
///   distinct; tables have entries, and all weights of a case fit in memory;
/// - formulas and inputs fit the tables of the schema.
std::string headFault(const ProgramHead &head);

} // namespace mpf
