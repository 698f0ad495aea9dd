// INTERLEAVED LANES: the lanes of a warp are dealt out to several digits two values at a time.
// Lanes that differ only in a digit that an operand lacks read the same entry of that operand.
// Where such lanes are neighbours (lane ^ 1, lane ^ 2), a wide load from shared memory takes half
// the wavefronts (bank_conflicts.h). Two operands can have such neighbours. Of three operands that
// each lack a different digit, the two with the most loads get them.
#pragma once

#include "codegen/kernel/plan/nest_plan.h"

#include <optional>
#include <vector>

namespace mpf {

/// Whether the register tile in `axes` is over three or more digits, and at least three operands
/// are *faces* of it. A face has two or more of the digits but not all, as f(a, b), g(b, c) and
/// h(a, c). (In the tile of a matrix product, f(a, k) g(k, b), one operand has agreeing neighbours
/// without interleaving.)
bool tilesThreeDigits(const DigitForm &form, const std::vector<Axis> &axes);

/// Returns `axes` with interleaved thread axes; the block computes the same outputs with the same
/// number of threads. Returns none if tilesThreeDigits is false, or if the threads run along one
/// digit only or along a digit in several runs. It also returns none if the thread extents have too
/// few factors of 2 to fill a warp.
std::optional<std::vector<Axis>>
interleavedLanes(const DigitForm &form, const std::vector<Axis> &axes, uint32_t warpThreads);

} // namespace mpf
