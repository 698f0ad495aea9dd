// Prints the text that rescales a message whose entries are in registers (LinearPlan::rescaled).
#pragma once

#include "codegen/bundle/lanes/linear_plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mpf {

/// Returns the text of |name|, or the name itself if no table has negative values.
std::string magnitudeText(const LinearPlan &plan, const std::string &entry,
                          const std::string &name);

/// Returns the text of the greatest magnitude among `names`, which must not be empty.
std::string greatestText(const LinearPlan &plan, const std::string &entry,
                         const std::vector<std::string> &names);

/// Returns lines that declare x{message}, the exponent that is factored out, and multiply the
/// entries. A case that leaves linear arithmetic sets `left`, which must be declared. `entry` is
/// "float" or "double".
std::vector<std::string> rescalingLines(const LinearPlan &plan, const std::string &entry,
                                        uint32_t message, const std::vector<std::string> &names);

} // namespace mpf
