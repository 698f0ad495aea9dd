#include "codegen/emit/nest/preambles.h"

#include <fmt/format.h>

namespace mpf {

PreambleParts &PreambleParts::operator|=(const PreambleParts &other) {
  copies |= other.copies;
  matrix |= other.matrix;
  integers |= other.integers;
  packed |= other.packed;
  return *this;
}

PreambleParts preambleParts(const KernelHeader &plan, const DigitForm &operation) {
  return {.integers = isIntegerType(plan.type), .packed = operation.readsPacked()};
}

std::string preambleText(const PreambleParts &parts) {
  const auto part = [](bool needed, std::string_view text) {
    return needed ? text : std::string_view();
  };
  return fmt::format("{}{}{}{}{}", kCudaPreamble, part(parts.copies, kCopyPreamble),
                     part(parts.matrix, kMatrixPreamble), part(parts.integers, kIntegerPreamble),
                     part(parts.packed, kPackedPreamble));
}

size_t preambleBytes(std::string_view cudaText) {
  if (!cudaText.starts_with(kCudaPreamble))
    return 0;
  size_t bytes = kCudaPreamble.size();
  for (const std::string_view more :
       {kCopyPreamble, kMatrixPreamble, kIntegerPreamble, kPackedPreamble})
    if (cudaText.substr(bytes).starts_with(more))
      bytes += more.size();
  return bytes;
}

} // namespace mpf
