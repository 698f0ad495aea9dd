// The algebraic half of verify_program: does every output hold the product it should?
#pragma once

#include "codegen/plan/program/table_program.h"

#include <optional>
#include <string>

namespace mpf {

/// Expects a program of the right shape (ids in range, operands before results). Every input gets a
/// hash, and a product the sum of its operands' hashes: one sum for the whole product and one for
/// each variable of its scope. When a variable is reduced, its sum must contain every input that
/// holds it; the sum of an output must contain every input.
std::optional<std::string> verifyProducts(const TableProgram &program);

} // namespace mpf
