// Writes the C++ text of consecutive steps of a lane program, for the cases of one strip:
//
//   extern "C" void NAME(const T *shared, const T *weights, T *arena,
//                        const unsigned char *const *codes, int *exponents, unsigned char *left)
//
// Every product is unrolled. Messages are variables; those that other functions read are at the
// places of the built-in kernels (strip_places.h). Entries of shared tables are numbers in the
// text, and products that they make 0 are left out.
//
// `codes` has a column's codes of the strip's cases. `left[lane]` becomes other than 0 if the lane
// leaves linear arithmetic.
//
// The text consists only of digits, strides and numbers, so code from a bundle's file never runs.
// It includes no header; equal arguments give equal bytes everywhere. The text fixes the order of
// every sum and treats all lanes alike.
#pragma once

#include "codegen/bundle/lanes/linear_plan.h"
#include "runtime/execute/lanes/compiled/step_readers.h"
#include "runtime/execute/lanes/compiled/strip_places.h"

#include <string>
#include <string_view>

namespace mpf {

/// The sources of a text. The references must outlive the object.
struct StripTextParts {
  const LaneProgram &program;
  const CommonTables &common;
  const LinearPlan &plan;
  ElementType type; ///< F32 or F64
  const StripPlaces &places;
};

/// The steps [first, end) of the program.
struct StripSegment {
  size_t first = 0, end = 0;
};

/// Returns the text of the function, without the preamble.
std::string stripFunction(const StripTextParts &parts, const StepReaders &readers,
                          const StripSegment &segment, std::string_view name);

/// The text of mpf_strip.h.
extern const std::string_view kStripPreamble;

} // namespace mpf
