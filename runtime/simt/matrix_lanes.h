// Simulates mma.sync of f64 by its definition: which entries of the matrices a lane's registers
// hold (PTX ISA, "Matrix fragments for mma", .f64).
#pragma once

#include "runtime/simt/simt_hooks.h"

#include <vector>

namespace mpf::simt {

/// Computes c += a * b on the registers of a warp's 32 lanes, given in lane order; terms are added
/// in order. Returns false when the lanes do not all name the same instruction.
bool multiplyMatrix(const std::vector<const SimtMatrixLane *> &lanes);

} // namespace mpf::simt
