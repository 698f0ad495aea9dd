// The names of kernels: family and a hash of everything but tables, variables and the modelled
// times, so that equal kernels share one.
#pragma once

#include "codegen/kernel/form/chain_form.h"
#include "codegen/kernel/plan/kernel_header.h"

#include <string>
#include <string_view>

namespace mpf {

/// Takes tables and variables out of a form.
void forgetTables(DigitForm &form);
void forgetTables(ChainForm &form);

/// "FAMILY_HASH" of a plan's text.
std::string nameOfText(std::string_view family, const std::string &text);

/// `print`: the text of a plan of this family.
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
