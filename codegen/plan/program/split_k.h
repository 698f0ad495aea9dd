// SPLIT SUMS ("split-K" of matrix products): one sum as two operations of a table program.
//
// The reduced addresses of an operation are mixed-radix numbers over its reduced variables, most
// significant first. Cut into `splits` stretches of equal length, they give a table of the result's
// scope for each stretch; the stretch is one more digit, the most significant of that table. A
// second operation takes it as its only operand and reduces that digit:
//   op sum-product tables 0 1 reduce 2 splits 32   # m0(x, y) = sum(k) f * g, in 32 splits
//   op sum-product tables 2                         # m1(x, y) = m0, sum over its 32 splits
// So the order of the additions is the plan's, not the device's: same bits on every run. Splits
// have memory like every table, and all arithmetic (scales, logarithms, maxima, whole numbers) is
// that of two operations.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace mpf {

/// The most splits of one sum.
inline constexpr uint32_t kMaxSplits = 1u << 16;

/// True when the numbers over these digits (most significant first) can be cut into `splits`
/// stretches of equal length along digits: `splits` is the product of the first few extents and a
/// divisor of the next one.
bool splitsDivide(std::span<const uint64_t> extents, uint64_t splits);

/// The numbers of splits from 2 to `most` that divide, ascending, each stretch longer than 1.
std::vector<uint64_t> splitChoices(std::span<const uint64_t> extents, uint64_t most);

/// Splits of the table that the operation adds up; 1: it reads no split table.
uint32_t splitsRead(const TableProgram &program, const Operation &operation);

/// Entries of an operand or a result in one slice, with all its splits; saturating.
uint64_t storedElems(const TableProgram &program, const ProgramTable &table);

/// The first fault about split sums, for a program that is sound otherwise; empty: none. Only
/// results have splits, which are stretches of their reduced addresses. An operation that reads
/// such a table reads no other table, reduces no variable, and adds up the splits in the same
/// semiring. No output and no traceback step reads such a table, and it is not shared with another
/// one.
std::string findSplitFault(const TableProgram &program);

} // namespace mpf
