// The names of kernels: the family and a hash of the plan's text without table ids, variables and
// modelled times. Equal kernels have equal names in all programs.
#pragma once

#include "codegen/kernel/form/chain_form.h"
#include "codegen/kernel/plan/kernel_header.h"

#include <string>
#include <string_view>

namespace mpf {

/// Clears the variables of all digits and sets all table ids to 0.
void forgetTables(DigitForm &form);
void forgetTables(ChainForm &form);

/// Returns "FAMILY_HASH"; HASH is 16 hexadecimal digits of the hash of `text`.
std::string nameOfText(std::string_view family, const std::string &text);

/// Sets plan.name. `print` returns the text of a plan of this family.
template <class Plan, class Print>
void nameAfterText(Plan &plan, std::string_view family, Print print) {
  Plan shape = plan;
  shape.name.clear();
  shape.costTerms.clear();
  shape.predictedUs = shape.floorUs = 0;
  forgetTables(shape.form);
  plan.name = nameOfText(family, print(shape));
}

} // namespace mpf
