// Checks on the device whether the ranges that kernels recorded fit the assumption of the launches
// (runtime/schedule/launches/linear_assumption.h). Follows mpf_device.cuh and `typedef double
// MpfEntry;` (or another type). The struct is that of runtime/execute/gpu/tables/assumption_table.h.

#define MPF_SITE_ASSUMED 62

// A product that the launches assume linear arithmetic to be exact for.
struct __align__(16) MpfAssumedProduct {
  int firstOperand, operandCount, termsLog2, unused;
};

// `operands`: operands of products, as indices of states.
MPF_FUNCTION bool mpfProductIsExact(const MpfTableState *states, const int *operands,
                                    const MpfAssumedProduct &product) {
  MpfOperandRanges ranges = MpfOperandRanges::none(product.termsLog2);
  for (int i = 0; i < product.operandCount; ++i)
    ranges.add(mpfState(states, MPF_LD(MPF_SITE_ASSUMED, operands[product.firstOperand + i])));
  // There are no assumptions about whole numbers.
  return sizeof(MpfEntry) == 4 ? ranges.linearIsExact<float>() : ranges.linearIsExact<double>();
}
