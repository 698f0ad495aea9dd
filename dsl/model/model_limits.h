// Limits for the sizes of a Model. They are checked before anything is allocated, so that a short
// text cannot exhaust memory or time: `var x[1000000][1000000] : 2` is an error, not a crash.
//
// The defaults are far above the sizes of published networks.
#pragma once

#include <cstdint>

namespace mpf {

struct ModelLimits {
  uint64_t maxVariables = 1'000'000;
  uint64_t maxExtent = 1u << 24; ///< states of one variable
  uint64_t maxLabels = 1u << 24; ///< label texts over all variables
  uint64_t maxFactors = 1'000'000;
  uint64_t maxScope = 4096;               ///< variables in one factor's scope
  uint64_t maxScopeEntries = 1u << 26;    ///< scope entries over all factors
  uint64_t maxTableElems = 1u << 29;      ///< entries of one table: 4 GiB
  uint64_t maxTotalElems = 1u << 30;      ///< entries of all distinct tables: 8 GiB
  uint64_t maxTemplateSteps = 4'000'000;  ///< rounds of all `for` ranges, outer and inner ones
  uint64_t maxExpressionSteps = 1u << 31; ///< operations to evaluate all factor expressions
  uint64_t maxExpandedSteps = 1'000'000;  ///< operations of one expression with its folds
  uint64_t maxTotalExpanded = 1u << 28;   ///< operations of all folds and calls, written out
  uint64_t maxQueryEntries = 1u << 26;    ///< variables and factors named anywhere
  uint64_t maxSweepValues = 1u << 20;     ///< values of one swept param
  uint64_t maxCaseEntries = 1u << 28;     ///< cases times variables of listed evidence
  uint64_t maxSamples = 1u << 30;         ///< n of a `samples(n)` query
  uint32_t maxIncludeDepth = 32;          ///< nested `include`s
  uint32_t maxIncludes = 1000;            ///< included files in total
};

} // namespace mpf
