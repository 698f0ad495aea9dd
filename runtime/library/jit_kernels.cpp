#include "codegen/specialise/verify_kernels.h"
#include "runtime/session/kernel_check.h"

void mpfAdoptKernels(mpf::Bundle &bundle, const std::string &file) {
  mpf::adoptKernels(bundle, file);
}
