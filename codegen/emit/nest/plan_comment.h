// Prints the comment above a kernel that tells people what it computes and how.
#pragma once

#include "codegen/emit/nest/nest.h"
#include "dsl/support/code_writer.h"

namespace mpf {

void writePlanComment(const Nest &nest, CodeWriter &out);

} // namespace mpf
