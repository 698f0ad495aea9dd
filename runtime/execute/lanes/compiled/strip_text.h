// Writes the C++ text of consecutive steps of a lane program, for the cases of one strip:
//
//   extern "C" void NAME(const T *shared, const T *weights, T *arena,
//                        const unsigned char *const *codes, int *exponents, unsigned char *left)
//
// Every product is written out. Messages are variables; those that others read lie where the
// built-in kernels have them (strip_places.h). Single entries of shared tables stand in the text,
// and what they show to be 0 is left out. `codes` has a column's codes of the strip's cases,
// `left[lane]` becomes other than 0 where the lane leaves linear arithmetic.
//
// The text is made of digits, strides and numbers alone, so no code from a bundle's file ever runs.
// It includes no header; the same arguments give the same bytes everywhere. The order of every sum
// is fixed by the text, which treats all lanes alike.
#pragma once

#include "codegen/bundle/lanes/linear_plan.h"
#include "runtime/execute/lanes/compiled/step_readers.h"
#include "runtime/execute/lanes/compiled/strip_places.h"

#include <string>
#include <string_view>

namespace mpf {

/// What texts are written from. The references outlive the product.
struct StripTextParts {
  const LaneProgram &program;
  const CommonTables &common;
  const LinearPlan &plan;
  ElementType type; ///< F32 or F64
  const StripPlaces &places;
};

/// Steps [first, end) of the program.
struct StripSegment {
  size_t first = 0, end = 0;
};

/// The function, without the preamble.
std::string stripFunction(const StripTextParts &parts, const StepReaders &readers,
                          const StripSegment &segment, std::string_view name);

/// mpf_strip.h
extern const std::string_view kStripPreamble;

} // namespace mpf
