// The lines above a kernel that say what it computes and how, in the words of the plan.
#pragma once

#include "codegen/emit/nest/nest.h"
#include "dsl/support/code_writer.h"

namespace mpf {

void writePlanComment(const Nest &nest, CodeWriter &out);

} // namespace mpf
