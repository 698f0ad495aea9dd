// Checks the algebra of a program, for verify_program.h: whether every output holds the product of
// the right inputs, and every variable is reduced at the right time.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <optional>
#include <string>

namespace mpf {

/// Returns the first fault as one sentence, or nothing. Expects a program of the right shape (ids
/// in range, operands before results). Every input gets a hash, and a product the sum of its
/// operands' hashes: one sum for the whole product and one for each variable of its scope. When a
/// variable is reduced, its sum must be that of all inputs that hold it. The sum of an output must
/// be that of all inputs; the sum of a posterior, that of the inputs in its connected component.
std::optional<std::string> verifyProducts(const TableProgram &program);

} // namespace mpf
