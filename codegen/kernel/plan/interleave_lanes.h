// WOVEN LANES: the lanes of a warp dealt out to several digits by twos. Lanes that differ only in a
// digit which an operand lacks read the same entry of it, and where these are neighbours (lane ^ 1,
// lane ^ 2) a wide load from shared memory takes half the wavefronts (bank_conflicts.h). Of three
// operands that each miss another digit two can have such neighbours: those with the most loads.
#pragma once

#include "codegen/kernel/plan/nest_plan.h"

#include <optional>
#include <vector>

namespace mpf {

/// A register tile over three digits or more of which three operands or more are faces: f(a, b),
/// g(b, c), h(a, c). Two and more of them can have neighbours that agree. (Of the tile of a matrix
/// product one operand has them as it is.)
bool tilesThreeDigits(const DigitForm &form, const std::vector<Axis> &axes);

/// `axes` with other thread axes for the same threads, outputs and addresses of the block. None
/// where the tile is not over three digits, where less than a warp is even, or where the threads
/// are along one digit.
std::optional<std::vector<Axis>>
interleavedLanes(const DigitForm &form, const std::vector<Axis> &axes, uint32_t warpThreads);

} // namespace mpf
