// --- Teams: the other steps, and all in turn -----------------------------------------------------
MPF_FUNCTION unsigned mpfTeamCode(const MpfTeam &team, const MpfTeamPart &code) {
  const unsigned word =
      MPF_LD(MPF_SITE_TEAM_CODE, team.codes[(unsigned)code.where * team.pitch + team.i]);
  return word >> code.kept & (unsigned)code.slot;
}

/// message[e] = 1 where the case's code allows the state e, else 0.
MPF_FUNCTION void mpfTeamAllowed(const MpfTeam &team, const MpfTeamStep &step, unsigned first,
                                 MpfTeamSeen &seen) {
  const unsigned code = mpfTeamCode(team, mpfTeamPart(team, step.firstPart));
  for (unsigned e = first; e < (unsigned)step.kept; e += team.workers) {
    const bool allowed = code == e || code == (unsigned)step.kept;
    seen.greatest = allowed ? mpfMax(seen.greatest, (MpfEntry)1) : seen.greatest;
    mpfTeamStore(team, step.result + (int)e, allowed ? (MpfEntry)1 : (MpfEntry)0);
  }
}

/// message[e] = image[row + e]: the row that the case's codes pick.
MPF_FUNCTION void mpfTeamRow(const MpfTeam &team, const MpfTeamStep &step, unsigned first,
                             MpfTeamSeen &seen) {
  long long row = step.reduced;
#pragma unroll 1
  for (int c = 0; c < step.parts; ++c) {
    const MpfTeamPart code = mpfTeamPart(team, step.firstPart + c); // word, shift, stride, mask
    row += (long long)mpfTeamCode(team, code) * code.reduced;
  }
  for (int e = (int)first; e < step.kept; e += (int)team.workers) {
    const MpfEntry entry = MPF_LD(MPF_SITE_TEAM_IMAGE, team.image[row + e]);
    seen.greatest = mpfMax(seen.greatest, mpfAbs(entry));
    mpfTeamStore(team, step.result + e, entry);
  }
}

MPF_FUNCTION void mpfTeamWeightRow(const MpfTeam &team, const MpfTeamStep &step, unsigned first,
                                   MpfTeamSeen &seen) {
  for (int e = (int)first; e < step.kept; e += (int)team.workers) {
    const MpfEntry weight = MPF_LD(
        MPF_SITE_TEAM_CODE, team.weights[(unsigned)(step.reduced + e) * team.pitch + team.i]);
    seen.greatest = mpfMax(seen.greatest, mpfAbs(weight));
    mpfTeamStore(team, step.result + e, weight);
  }
}

/// The greatest magnitude of a lane over all workers.
MPF_FUNCTION MpfEntry mpfTeamGreatest(const MpfTeam &team, MpfEntry own) {
  MPF_ST(MPF_SITE_TEAM_GREATEST, team.greatest[team.worker * team.lanes + team.lane], own);
  __syncthreads();
  MpfEntry greatest = (MpfEntry)0;
  for (unsigned worker = 0; worker < team.workers; ++worker)
    greatest = mpfMax(
        greatest, MPF_LD(MPF_SITE_TEAM_GREATEST, team.greatest[worker * team.lanes + team.lane]));
  __syncthreads(); // before the next message's
  return greatest;
}

/// Rescales the message that the step has written (LinearPlan). Each worker some entries.
MPF_FUNCTION int mpfTeamRescale(const MpfTeam &team, const MpfTeamStep &step,
                                const MpfTeamSeen &seen, int target, int orders, bool &left) {
  const MpfEntry greatest = mpfTeamGreatest(team, seen.greatest);
  int exponent;
  const MpfEntry factor = mpfRescaling<MpfEntry>(greatest, target, exponent);
  const unsigned floor = mpfFloor<MpfEntry>(greatest, orders);
  left |= factor != factor; // maxima drop NaN
  for (int k = (int)team.worker; k < step.kept; k += (int)team.workers) {
    const MpfEntry entry = mpfTeamEntry(team, step.result + k);
    left |= mpfMagnitude<MpfEntry, true>(entry) - 1u < floor - 1u;
    mpfTeamStore(team, step.result + k, entry * factor);
  }
  return exponent;
}

MPF_FUNCTION int mpfTeamSlot(const MpfTeam &team, int slot) {
  return slot < 0
             ? 0
             : MPF_LD(MPF_SITE_TEAM_EXPONENT, team.slots[(long long)slot * team.lanes + team.lane]);
}

/// The first worker keeps the exponents of a product: those of its operands, and what was taken
/// away.
MPF_FUNCTION void mpfTeamKeepExponent(const MpfTeam &team, const MpfTeamStep &step, int own) {
  if (step.slot < 0 || team.worker != 0)
    return;
  if (step.kind == mpfTeamSum || step.kind == mpfTeamMax)
#pragma unroll 1
    for (int s = 0; s < step.parts; ++s)
      own += mpfTeamSlot(team, mpfTeamPart(team, step.firstPart + s).slot);
  MPF_ST(MPF_SITE_TEAM_EXPONENT, team.slots[(long long)step.slot * team.lanes + team.lane], own);
}

/// An output: its entries are at addresses[kept + e]. `leaves`: the case left linear arithmetic.
MPF_FUNCTION void mpfTeamWrite(const MpfTeam &team, const MpfTeamStep &step, bool leaves) {
  MpfEntry share = (MpfEntry)1;
  const int first = step.firstPart;
  if ((step.flags & mpfTeamNormalises) != 0) {
    MpfEntry sum = (MpfEntry)0;
#pragma unroll 1
    for (int e = 0; e < step.kept; ++e)
      sum += mpfTeamEntry(team, mpfTeamAddress(team, first + e));
    share = mpfShare<MpfEntry>(sum);
  }
#pragma unroll 1
  for (int e = 0; e < step.kept && team.active; ++e) {
    const MpfEntry own = mpfTeamEntry(team, mpfTeamAddress(team, first + e));
    // A share that vanishes becomes the least number, by which the host knows it.
    const MpfEntry entry = own != 0 && own * share == 0 ? MpfReal<MpfEntry>::fromBits(1) : own * share;
    MPF_ST(MPF_SITE_TEAM_RESULT, team.results[(unsigned)(step.result + e) * team.pitch + team.i],
           leaves && step.result == 0 && e == 0 ? mpfNotANumber<MpfEntry>() : entry);
  }
  if (step.reduced >= 0 && team.active) // exponents of its own
    MPF_ST(MPF_SITE_TEAM_RESULT, team.exponents[(unsigned)step.reduced * team.pitch + team.i],
           mpfTeamSlot(team, step.slot));
}

/// The state of one variable: the first of the best products at the states found before. Tables of
/// the product: where, base, place of (variable, stride) pairs in `addresses`, their number.
MPF_FUNCTION void mpfTeamChoose(const MpfTeam &team, const MpfTeamStep &step) {
  if (!team.active) // it would read what its case's own lane writes
    return;
  MpfEntry best = (MpfEntry)0;
  unsigned chosen = 0;
#pragma unroll 1
  for (unsigned state = 0; state < (unsigned)step.kept; ++state) {
    MpfEntry product = (MpfEntry)1;
#pragma unroll 1
    for (int t = 0; t < step.parts; ++t) {
      const MpfTeamPart part = mpfTeamPart(team, step.firstPart + t);
      int entry = part.kept;
#pragma unroll 1
      for (int pair = 0; pair < part.slot; ++pair) {
        const int variable = mpfTeamAddress(team, part.reduced + 2 * pair);
        const unsigned at = variable == step.result
                                ? state
                                : MPF_LD(MPF_SITE_TEAM_STATE,
                                         team.states[(unsigned)variable * team.pitch + team.i]);
        entry += (int)at * mpfTeamAddress(team, part.reduced + 2 * pair + 1);
      }
      product *= part.where == mpfTeamArena ? mpfTeamEntry(team, entry)
                                            : MPF_LD(MPF_SITE_TEAM_IMAGE, team.image[entry]);
    }
    if (product > best) {
      best = product;
      chosen = state;
    }
  }
  MPF_ST(MPF_SITE_TEAM_STATE, team.states[(unsigned)step.result * team.pitch + team.i], chosen);
}

/// All steps for the cases of a team.
MPF_FUNCTION void mpfTeamRun(const MpfTeam &team, int stepCount, int target, int orders) {
  bool left = false;
  bool leaves = false, joined = false;
  unsigned turn =
      0; // the worker whose share is the first one: steps that do not wait fill the team
  for (int index = 0; index < stepCount; ++index) {
    const MpfTeamStep step = mpfTeamStep(team, index);
    if ((step.flags & mpfTeamWaits) != 0)
      __syncthreads();
    if (step.kind == mpfTeamOutput || step.kind == mpfTeamDecode) {
      if (!joined) { // whether any worker saw an entry that is too small
        leaves = mpfTeamGreatest(team, left ? (MpfEntry)1 : (MpfEntry)0) > (MpfEntry)0;
        joined = true;
      }
      if (step.kind == mpfTeamOutput) {
        if (index % (int)team.workers == (int)team.worker)
          mpfTeamWrite(team, step, leaves);
      } else if (team.worker == 0) { // one variable after the other
        mpfTeamChoose(team, step);
      }
      continue;
    }
    MpfTeamSeen seen = {(MpfEntry)0};
    const unsigned first = team.worker + (team.worker < turn ? team.workers : 0) - turn;
    turn = (turn + mpfTeamShares(step)) % team.workers;
    if (step.kind == mpfTeamGather)
      mpfTeamRow(team, step, first, seen);
    else if (step.kind == mpfTeamIndicator)
      mpfTeamAllowed(team, step, first, seen);
    else if (step.kind == mpfTeamWeights)
      mpfTeamWeightRow(team, step, first, seen);
    else
      mpfTeamProduct(team, step, first, seen);
    const int own = (step.flags & mpfTeamRescales) != 0
                        ? mpfTeamRescale(team, step, seen, target, orders, left)
                        : 0;
    mpfTeamKeepExponent(team, step, own);
  }
  __syncthreads(); // before the arena's next cases
}

MPF_FUNCTION void mpfTeamCases(MpfTeam team, int stepCount, int target, int orders, int count) {
  team.lane = threadIdx.x % team.lanes;
  team.worker = threadIdx.x / team.lanes;
  team.workers = blockDim.x / team.lanes;
  const unsigned cases = (unsigned)count;
  for (unsigned first = blockIdx.x * team.lanes; first < cases; first += gridDim.x * team.lanes) {
    const unsigned own = first + team.lane;
    team.active = own < cases;
    team.i = team.active ? own : cases - 1;
    mpfTeamRun(team, stepCount, target, orders);
  }
}

#define MPF_TEAM_PARAMETERS                                                                        \
  const MpfTeamFour *steps, const MpfTeamPart *parts, const int *addresses, const unsigned *codes, \
      const MpfEntry *weights, int pitch, int count, const MpfEntry *image, MpfEntry *results,     \
      int *exponents, unsigned *states, MpfEntry *scratch, int *slots, int stepCount,              \
      int arenaElems, int slotCount, int target, int orders, int lanes

#define MPF_TEAM(arenaOfBlock, lanesOfTeam)                                                        \
  MPF_SHARED(MpfEntry, greatest, MPF_TEAM_THREADS);                                                \
  const long long block = blockIdx.x;                                                              \
  MpfTeam team = {steps, parts, addresses, codes, weights, image};                                 \
  team.arena = arenaOfBlock;                                                                       \
  team.results = results;                                                                          \
  team.slots = slots + block * slotCount * lanesOfTeam;                                            \
  team.exponents = exponents;                                                                      \
  team.states = states;                                                                            \
  team.greatest = greatest;                                                                        \
  team.pitch = (unsigned)pitch;                                                                    \
  team.lanes = (unsigned)lanesOfTeam;                                                              \
  mpfTeamCases(team, stepCount, target, orders, count)

// An entry point for each place of the arena: what one kernel for both loads goes by generic
// addresses. In device memory all loads and stores are plain global ones; in the other kernel
// stores are plain shared ones. And one for whole warps of cases, which most lists have: addresses
// then shift by a constant, and those of a tile differ by constants. Registers for a tile and
// for what is loaded next, 128 of a thread, come before more warps.

/// The arena in shared memory.
extern "C" __global__ void __launch_bounds__(MPF_TEAM_THREADS)
    mpf_team_shared(MPF_TEAM_PARAMETERS) {
  MPF_DYN_SHARED(MpfEntry, arena);
  MPF_TEAM(arena, lanes);
}

/// The arena in device memory of the block; a case in each lane of a warp, whatever `lanes` is.
extern "C" __global__ void __launch_bounds__(MPF_TEAM_THREADS)
    mpf_team_global(MPF_TEAM_PARAMETERS) {
  MPF_TEAM(scratch + block * arenaElems * MPF_TEAM_WARP, MPF_TEAM_WARP);
}

/// The arena in device memory of the block, for fewer cases.
extern "C" __global__ void __launch_bounds__(MPF_TEAM_THREADS)
    mpf_team_global_few(MPF_TEAM_PARAMETERS) {
  MPF_TEAM(scratch + block * arenaElems * lanes, lanes);
}
