// The names of kernels: the family and a hash of the plan's text without what belongs to one
// program or device. Equal kernels have equal names in all programs.
#pragma once

#include "codegen/kernel/plan/without_program.h"

#include <string>
#include <string_view>

namespace mpf {

/// Returns "FAMILY_HASH"; HASH is 16 hexadecimal digits of the hash of `text`.
std::string nameOfText(std::string_view family, const std::string &text);

/// Sets plan.name. `print` returns the text of a plan of this family.
template <class Plan, class Print>
void nameAfterText(Plan &plan, std::string_view family, Print print) {
  Plan shape = withoutProgram(plan);
  shape.name.clear();
  plan.name = nameOfText(family, print(shape));
}

} // namespace mpf
