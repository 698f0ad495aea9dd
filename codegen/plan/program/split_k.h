// SUMS IN PARTS: split sums ("split-K" of matrix products) as two operations of a table program.
//
// The reduced addresses of an operation are mixed-radix numbers over its reduced variables, most
// significant first. Cut into `parts` stretches of equal length, they give a table of the result's
// scope for each stretch; the stretch is one more digit, the most significant of that table. A
// second operation takes it as its only operand and reduces that digit:
//   op sum-product tables 0 1 reduce 2 parts 32    # m0(x, y) = sum(k) f * g, in 32 parts
//   op sum-product tables 2                        # m1(x, y) = m0, sum over its 32 parts
// So the order of the additions is the plan's, not the device's: same bits on every run. Parts have
// memory like every table, and all arithmetic (scales, logarithms, maxima, whole numbers) is that
// of two operations.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace mpf {

/// The most parts of one sum.
inline constexpr uint32_t kMostParts = 1u << 16;

/// True when the numbers over these digits (most significant first) can be cut into `parts`
/// stretches of equal length along digits: `parts` is the product of the first few extents and a
/// divisor of the next one.
bool partsDivide(std::span<const uint64_t> extents, uint64_t parts);

/// The numbers of parts from 2 to `most` that divide, ascending, each stretch longer than 1.
std::vector<uint64_t> partChoices(std::span<const uint64_t> extents, uint64_t most);

/// Parts of the table that the operation adds up; 1: it reads none in parts.
uint32_t partsRead(const TableProgram &program, const Operation &operation);

/// Entries of an operand or a result in one slice, with all its parts; saturating.
uint64_t storedElems(const TableProgram &program, const ProgramTable &table);

/// The first fault about sums in parts, for a program that is sound otherwise; empty: none. Only
/// results have parts, which are stretches of their reduced addresses. An operation that reads such
/// a table reads no other table, reduces no variable, and adds up the parts in the same semiring.
/// No output and no traceback step reads such a table, and it is not shared with another one.
std::string findPartsFault(const TableProgram &program);

} // namespace mpf
