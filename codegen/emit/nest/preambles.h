// The texts that stand in front of emitted CUDA kernels.
#pragma once

#include "codegen/kernel/plan/kernel_header.h"

#include <string>
#include <string_view>

namespace mpf {

/// preamble/mpf_device.cuh: what must stand in front of kernels.
extern const std::string_view kCudaPreamble;
/// preamble/mpf_copy.cuh: behind it where kernels copy asynchronously (stages, family mma).
extern const std::string_view kCopyPreamble;
/// preamble/mpf_matrix.cuh: behind both where kernels of family mma follow.
extern const std::string_view kMatrixPreamble;
/// preamble/mpf_integer.cuh: likewise for kernels of whole numbers.
extern const std::string_view kIntegerPreamble;
/// preamble/mpf_packed.cuh: behind kCudaPreamble or kCppPreamble where kernels read packed tables.
extern const std::string_view kPackedPreamble;

/// What kernels need in front of them beside kCudaPreamble.
struct PreambleParts {
  bool copies = false, matrix = false, integers = false, packed = false;

  PreambleParts &operator|=(const PreambleParts &other);
};
/// By type and operands alone.
PreambleParts preambleParts(const KernelHeader &plan, const DigitForm &operation);
std::string preambleText(const PreambleParts &parts);
/// How much of the text those in front of it are; 0 for a text that does not begin as ours do.
size_t preambleBytes(std::string_view cudaText);

} // namespace mpf
