// The texts that must stand in front of emitted kernels: the files of codegen/emit/preamble.
#pragma once

#include "codegen/kernel/plan/kernel_header.h"

#include <string>
#include <string_view>

namespace mpf {

/// preamble/mpf_device.cuh: in front of all CUDA kernels.
extern const std::string_view kCudaPreamble;
/// preamble/mpf_copy.cuh: for kernels that copy asynchronously (NestPlan::stages, family mma).
extern const std::string_view kCopyPreamble;
/// preamble/mpf_matrix.cuh: for kernels of family mma; needs kCopyPreamble before it.
extern const std::string_view kMatrixPreamble;
/// preamble/mpf_integer.cuh: for kernels of whole numbers.
extern const std::string_view kIntegerPreamble;
/// preamble/mpf_packed.cuh: for kernels that read packed tables, behind kCudaPreamble.
extern const std::string_view kPackedPreamble;

/// Which preambles kernels need besides kCudaPreamble.
struct PreambleParts {
  bool copies = false, matrix = false, integers = false, packed = false;

  PreambleParts &operator|=(const PreambleParts &other);
};
/// The parts that follow from element type and operands; families add `copies` and `matrix`.
PreambleParts preambleParts(const KernelHeader &plan, const DigitForm &operation);
/// kCudaPreamble and `parts`, in the order that they need.
std::string preambleText(const PreambleParts &parts);
/// The length in bytes of the preambles that `cudaText` begins with; 0 when it does not begin with
/// kCudaPreamble.
size_t preambleBytes(std::string_view cudaText);

} // namespace mpf
