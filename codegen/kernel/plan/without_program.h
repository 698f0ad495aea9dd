// Removes from a kernel plan the data of one program or device: the variables of its digits, the
// ids of its tables, and modelled times. Equal kernels of different programs then have equal plans.
// The names of kernels (build/name_kernel.h) and the plan in a kernel's text
// (codegen/emit/plan_in_text.h) are made from the rest.
#pragma once

#include "codegen/kernel/form/chain_form.h"
#include "codegen/kernel/plan/kernel_header.h"

namespace mpf {

/// Clears the variables of all digits and sets all table ids to 0.
void forgetTables(DigitForm &form);
void forgetTables(ChainForm &form);

template <class Plan> Plan withoutProgram(Plan plan) {
  plan.costTerms.clear();
  plan.predictedUs = plan.floorUs = 0;
  forgetTables(plan.form);
  return plan;
}

} // namespace mpf
