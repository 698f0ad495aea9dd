// THE FLOOR: the least time that any kernel can take for a piece of work. Every table moves once at
// the copy limit, the operations run at the peak rate of the pipe, and the longer of the two hides
// the other (Time_min of ASAP'12, equation 7). All floors come from here: those that plans print,
// those that a page of `mpfc explain` shows, and those that the planner compares chains with.
#pragma once

#include "codegen/kernel/form/chain_form.h"
#include "codegen/kernel/form/target.h"

#include <algorithm>

namespace mpf {

/// Operations a microsecond of the element type's pipe, without tensor cores.
double arithmeticPeak(ElementType type, const Target &target);

struct FloorTerms {
  double bytesUs = 0;
  double arithmeticUs = 0;

  double longerUs() const { return std::max(bytesUs, arithmeticUs); }
};

/// The floor of `bytes` bytes and `operations` operations.
FloorTerms floorTerms(double bytes, double operations, ElementType type, const Target &target);

/// The floor of an operation; as a matrix product where that is less arithmetic. It is the same in
/// log form, but without matrix products: an exponential per entry hides behind its bytes.
FloorTerms floorTerms(const DigitForm &form, ElementType type, ValueForm valueForm,
                      const Target &target);

/// The floor of a chain: its bytes alone.
FloorTerms floorTerms(const ChainForm &form, ElementType type, const Target &target);

/// Bytes that must move whatever the kernel: every table once.
double compulsoryBytes(const DigitForm &form, ElementType type);
/// Message, factors and result; the messages in between stay on chip.
double compulsoryBytes(const ChainForm &form, ElementType type);

} // namespace mpf
