#include "codegen/kernel/cost/floor.h"

#include "codegen/kernel/form/operand_grouping.h"
#include "dsl/support/check.h"

namespace mpf {

// Multiply-adds of whole numbers take about six instructions for 64 bits and about twenty for 128
// bits, at one a clock and lane (not fitted to measurements).
double arithmeticPeak(ElementType type, const Target &target) {
  const double slotsPerUs = 2 * target.clockGhz * 1e3 * target.smCount * 128;
  switch (type) {
  case ElementType::F32:
    return target.f32FlopsPerUs;
  case ElementType::F64:
    return target.f64FlopsPerUs;
  case ElementType::U64:
    return slotsPerUs / 6;
  case ElementType::U128:
    break;
  }
  return slotsPerUs / 20;
}

FloorTerms floorTerms(double bytes, double operations, ElementType type, const Target &target) {
  MPF_CHECK(target.copyBytesPerUs > 0 && arithmeticPeak(type, target) > 0,
            "{} copies {} bytes and computes {} operations of {} in a microsecond", target.name,
            target.copyBytesPerUs, arithmeticPeak(type, target), elementTypeName(type));
  return {bytes / target.copyBytesPerUs, operations / arithmeticPeak(type, target)};
}

FloorTerms floorTerms(const DigitForm &form, ElementType type, ValueForm valueForm,
                      const Target &target) {
  const bool reduces = form.reducedAddresses() > 1;
  const double operations = form.addressesApproximately() *
                            (static_cast<double>(form.operands.size() - 1) + (reduces ? 1 : 0));
  FloorTerms terms = floorTerms(compulsoryBytes(form, type), operations, type, target);
  if (type == ElementType::F64 && valueForm == ValueForm::Linear &&
      target.f64MatrixFlopsPerUs > 0 && form.semiring.reduce == Reduce::Sum &&
      form.semiring.combine == Combine::Times)
    terms.arithmeticUs =
        std::min(terms.arithmeticUs, 2 * leastMatrixWork(form) / target.f64MatrixFlopsPerUs);
  return terms;
}

FloorTerms floorTerms(const ChainForm &form, ElementType type, const Target &target) {
  return floorTerms(compulsoryBytes(form, type), 0, type, target);
}

double compulsoryBytes(const DigitForm &form, ElementType type) {
  double bytes = static_cast<double>(form.result.sizeElems) * elementBytes(type);
  for (size_t i = 0; i < form.operands.size(); ++i) {
    bool repeated = false; // a table that is an operand twice is read once
    for (size_t j = 0; j < i; ++j)
      repeated |= form.operands[j].table == form.operands[i].table;
    if (!repeated)
      bytes += static_cast<double>(form.operands[i].sizeElems) * form.operands[i].elemBytes(type);
  }
  return bytes;
}

double compulsoryBytes(const ChainForm &form, ElementType type) {
  double elems =
      static_cast<double>(form.message.sizeElems) + static_cast<double>(form.result.sizeElems);
  for (const DigitAccess &factor : form.factors)
    elems += static_cast<double>(factor.sizeElems);
  return elems * elementBytes(type);
}

} // namespace mpf
