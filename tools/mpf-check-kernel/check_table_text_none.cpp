// Replaces check_table_text.cpp in a build without CUDA, which has no table-driven kernels to run.
#include "tools/mpf-check-kernel/check_table_text.h"

#include "dsl/support/check.h"

namespace mpf {

bool isTableDriven(std::string_view) { return false; }

std::vector<std::string> checkTableText(CheckedText &) {
  fail(ErrorKind::Device, "table-driven kernels are checked by an mpf that was built with CUDA");
}

} // namespace mpf
