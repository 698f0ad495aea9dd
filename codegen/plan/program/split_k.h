// Describes split sums ("split-K" of matrix products): one sum as two operations of a table
// program.
//
// The reduced addresses of an operation are mixed-radix numbers over its reduced variables, most
// significant first. They are cut into `splits` stretches of equal length. The operation writes one
// table of its result's scope for each stretch, one after another in memory: the number of the
// stretch is the most significant digit. A second operation has these splits as its only operand
// and reduces that digit:
//   op sum-product tables 0 1 reduce 2 splits 32   # m0(x, y) = sum(k) f * g, in 32 splits
//   op sum-product tables 2                         # m1(x, y) = m0, sum over its 32 splits
// So the plan fixes the order in which the splits are added, not the device: every run gives the
// same bits. Splits have memory like every table, and all arithmetic (scales, logarithms, maxima,
// whole numbers) is that of two operations.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace mpf {

/// The most splits of one sum.
inline constexpr uint32_t kMaxSplits = 1u << 16;

/// Whether the mixed-radix numbers with digits of these extents can be cut into `splits` stretches
/// of equal length along digits. Then `splits` is the product of the first few extents and of a
/// divisor of the next one. Extents are most significant first, and none is 0.
bool splitsDivide(std::span<const uint64_t> extents, uint64_t splits);

/// Returns the numbers of splits from 2 to `most` for which splitsDivide holds and each stretch is
/// longer than 1, ascending. Throws Error(Internal) for an extent of 0.
std::vector<uint64_t> splitChoices(std::span<const uint64_t> extents, uint64_t most);

/// Returns the splits that the operation reads and adds up; 1: it reads no table in splits.
uint32_t splitsRead(const TableProgram &program, const Operation &operation);

/// Returns the entries of an operand or a result in one slice, with all its splits; saturating.
uint64_t storedElems(const TableProgram &program, const ProgramTable &table);

/// Returns the first fault about split sums, as one clause, for a program that is sound otherwise;
/// empty: none. Only results have splits, which are stretches of their reduced addresses. An
/// operation that reads splits reads no other table, reduces no variable, writes no splits, and
/// adds them up in their semiring. No output and no traceback step reads splits, and a table in
/// splits is not the same as another one.
std::string findSplitFault(const TableProgram &program);

} // namespace mpf
