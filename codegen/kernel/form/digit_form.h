// An operation in mixed-radix form: what kernel plans, table-driven kernels and the CPU executor
// all work on. Variables are gone; digits with strides remain.
//
// A *digit* is one variable or several merged ones: variables that are adjacent in every layout
// they occur in and occur in exactly the same tables. With m
// operands there are at most 2^m - 1 kinds of digits, so index arithmetic is a handful of
// multiply-adds whatever the number of variables.
#pragma once

#include "codegen/plan/program/table_program.h"
#include "dsl/support/strided_operation.h"
#include "dsl/support/table_layout.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mpf {

struct Digit {
  uint64_t extent = 1;
  bool reduced = false;
  std::vector<VarId> variables; ///< most significant first; for people and page tables only
};

/// Where a table keeps its entries: offset = sum over digits of value * stride.
struct DigitAccess {
  TableId table;
  std::vector<uint64_t> stridesElems; ///< one per digit; 0 when the digit is not in its scope
  uint64_t sizeElems = 0;
  /// An input whose entries are the semiring's zero and one, one bit each: entry e is bit e % 32 of
  /// word e / 32 (codegen/plan/passes/pass_pack_tables.h). Not of minima: their zero is infinite.
  bool packed = false;

  double elemBytes(ElementType type) const {
    return packed ? kPackedElemBytes : elementBytes(type);
  }
};

/// Kept digits come first, as the result is stored, reduced ones last, as the global order has
/// them. Variables of extent 1 are dropped.
struct DigitForm : StridedOperation<Digit, DigitAccess> {
  bool readsPacked() const; ///< some operand is packed
};

/// Merges digits that continue each other in every table.
void mergeDigits(DigitForm &form);

/// What is wrong with a form that may come from a file, in one sentence; empty when it is sound:
/// kept digits first, every access inside its table, every entry of the result written exactly
/// once, addresses counted in 64 bits, 1..maxOperands operands.
std::string findFault(const DigitForm &form, size_t maxOperands = kMaxOperands);

} // namespace mpf
