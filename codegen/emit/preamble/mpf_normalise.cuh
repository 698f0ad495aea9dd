// NORMALISATION: tables in log form go back to linear form if their range fits. Follows
// mpf_table_driven.cuh.

// The widest spread of exponents that linear form holds without touching subnormal numbers.
MPF_FUNCTION bool mpfFitsLinear(const MpfTableState &state) {
  const long long spread = (long long)state.maxExponent - state.minExponent;
  return state.form == 1 && spread <= (sizeof(MpfEntry) == 4 ? 120 : 1000);
}

// Entries first, first + stride, ..: log form back to linear, the greatest entry below 1.
MPF_FUNCTION void mpfNormaliseEntries(const MpfOperation *op, const MpfTableState &state,
                                      unsigned long long first, unsigned long long stride) {
  MpfEntry *const table = MPF_LD(MPF_SITE_OPERATION, op->table[MPF_RESULT]);
  const signed char *const signs = MPF_LD(MPF_SITE_OPERATION, op->signs[MPF_RESULT]);
  const unsigned long long count = MPF_LD(MPF_SITE_OPERATION, op->keptAddresses);
  const MpfEntry top = mpfAllZero(state) ? (MpfEntry)0 : (MpfEntry)state.maxExponent + (MpfEntry)1;
  for (unsigned long long i = first; i < count; i += stride) {
    MpfEntry entry = MpfReal<MpfEntry>::exp2Of(MPF_LD(MPF_SITE_NORMALISE, table[i]) - top);
    if (signs != nullptr)
      entry *= (MpfEntry)MPF_LD(MPF_SITE_SIGN_LOAD, signs[i]);
    MPF_ST(MPF_SITE_NORMALISE, table[i], entry);
  }
}

MPF_FUNCTION MpfTableState mpfNormalisedState(MpfTableState state) {
  state.form = 0;
  if (mpfAllZero(state))
    return state;
  const int top = state.maxExponent + 1;
  state.scale += top;
  state.minExponent -= top + 1; // exp2 rounds: perhaps one binade below the logarithm's floor
  state.maxExponent = 0;
  return state;
}

// Log results whose range fits go back to linear form. The last block rewrites the state, so that
// none reads a state that another has changed.
extern "C" __global__ void MPF_TABLE_BOUNDS
    mpf_normalise(const MpfOperation *operations, MpfTableState *states, unsigned *finishedBlocks,
                  int index) {
  MPF_GRID_BEGIN(0);
  const MpfOperation *const op = operations + index;
  const int result = MPF_LD(MPF_SITE_OPERATION, op->state[MPF_RESULT]);
  const MpfTableState state = mpfState(states, result);
  const unsigned long long threads = blockDim.x;
  if (!mpfFitsLinear(state))
    return;
  mpfNormaliseEntries(op, state, blockIdx.x * threads + threadIdx.x, gridDim.x * threads);
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    if (atomicAdd(&finishedBlocks[index], 1u) == gridDim.x - 1)
      MPF_ST(MPF_SITE_STATE_STORE, states[result], mpfNormalisedState(state));
  }
}
