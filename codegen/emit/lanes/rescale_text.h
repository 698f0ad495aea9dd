// The text that rescales a message whose entries are in registers (LinearPlan::rescaled).
#pragma once

#include "codegen/bundle/lanes/linear_plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mpf {

/// |name|, as text; the name itself where no table has values below 0.
std::string magnitudeText(const LinearPlan &plan, const std::string &entry,
                          const std::string &name);

/// The greatest magnitude of some entries, as text. At least one name.
std::string greatestText(const LinearPlan &plan, const std::string &entry,
                         const std::vector<std::string> &names);

/// Lines that declare x{message}, the exponent that is taken away, and multiply the entries. A case
/// that leaves linear arithmetic sets `left`, which must be declared. `entry`: float or double.
std::vector<std::string> rescalingLines(const LinearPlan &plan, const std::string &entry,
                                        uint32_t message, const std::vector<std::string> &names);

} // namespace mpf
