// An operation of a plan as digits and strides (dsl/support/strided_operation.h). Kernel plans and
// the emitters work on this form.
//
// A *digit* is one variable or several merged ones: variables that are adjacent in every layout
// they occur in and occur in exactly the same tables. With m
// operands there are at most 2^m - 1 kinds of digits, so index arithmetic is a handful of
// multiply-adds whatever the number of variables.
#pragma once

#include "codegen/plan/program/table_program.h"
#include "dsl/support/packed_table.h"
#include "dsl/support/strided_operation.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mpf {

struct Digit : StridedDigit {
  std::vector<VarId> variables; ///< most significant first; for people and page tables only

  Digit() = default;
  Digit(uint64_t values, bool isReduced, std::vector<VarId> ids)
      : StridedDigit{values, isReduced}, variables(std::move(ids)) {}
  /// Takes in `other` like StridedDigit::absorb, with its variables.
  void absorb(const Digit &other, bool below);
};

/// The layout of a table of a plan.
struct DigitAccess {
  TableId table;
  std::vector<uint64_t> stridesElems; ///< one per digit; 0 when the digit is not in its scope
  uint64_t sizeElems = 0;
  bool packed = false; ///< an input of zeros and ones (dsl/support/packed_table.h)

  double elemBytes(ElementType type) const { return storedElemBytes(type, packed); }
};

/// The *bucket address* is the mixed-radix number over `digits`, most significant first (ICS'08
/// section 5.1.1). Kept digits come first, as the result is stored, reduced ones last, as the
/// global order has them. Variables of extent 1 are dropped.
struct DigitForm : StridedOperation<Digit, DigitAccess> {
  bool readsPacked() const; ///< some operand is packed
};

/// Returns the fault of a form that may come from a file, in one sentence; empty if it is sound. A
/// sound form has kept digits first, addresses that 64 bits count, and 1..maxOperands operands.
/// Every access is inside its table. Every entry of the result is written exactly once.
std::string findFault(const DigitForm &form, size_t maxOperands = kMaxOperands);

} // namespace mpf
