// The algebraic half of verify_program: does every output hold the product it should?
#pragma once

#include "codegen/plan/program/table_program.h"

#include <optional>
#include <string>

namespace mpf {

/// Needs a program of right shape (ids in range, operands before results). Gives every input a
/// hash; the hash of a product is the sum of its operands' hashes, once in all and once per
/// variable of its scope. A reduced variable must have collected all its inputs, an output too.
std::optional<std::string> verifyProducts(const TableProgram &program);

} // namespace mpf
