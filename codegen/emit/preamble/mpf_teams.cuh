// --- Teams: table-driven kernel of lane programs -------------------------------------------------
// A block answers 32 cases at a time, one in each lane; its warps (the team) share the entries of
// every message. A message keeps the 32 values of an entry side by side in the arena, in shared
// memory or in memory of the block's own. The program is data (codegen/bundle/lanes/team_program.h):
// one text runs any program, whatever its size, and is compiled once.

// The same layout as TeamStep, in halves that are one load each, and TeamPart on the host.
struct __align__(16) MpfTeamHalf {
  int a, b, c, d;
};
struct MpfTeamStep {
  int kind, kept, reduced, result, parts, firstPart, flags, slot;
};
struct __align__(16) MpfTeamPart {
  int where, kept, reduced, slot;
};
enum { mpfTeamGather, mpfTeamSum, mpfTeamMax, mpfTeamWeights, mpfTeamOutput, mpfTeamDecode };
enum { mpfTeamIndicator = mpfTeamDecode + 1 };
enum { mpfTeamRescales = 1, mpfTeamWaits = 2, mpfTeamNormalises = 4 };
enum { mpfTeamArena, mpfTeamImage };

#define MPF_TEAM_LANES 32
#define MPF_TEAM_WARPS 32
#define MPF_TEAM_COUNTS 9 // of operands of a kind: 0 to 8 (kMaxLaneOperands)

#define MPF_SITE_TEAM_STEP 40
#define MPF_SITE_TEAM_PART 41
#define MPF_SITE_TEAM_ADDRESS 42
#define MPF_SITE_TEAM_CODE 43
#define MPF_SITE_TEAM_IMAGE 44
#define MPF_SITE_TEAM_LOAD 45
#define MPF_SITE_TEAM_STORE 46
#define MPF_SITE_TEAM_EXPONENT 47
#define MPF_SITE_TEAM_GREATEST 48
#define MPF_SITE_TEAM_RESULT 49
#define MPF_SITE_TEAM_STATE 50

struct MpfTeam {
  const MpfTeamHalf *steps;
  const MpfTeamPart *parts;
  const int *addresses;
  const unsigned *codes;
  const MpfEntry *weights, *image;
  MpfEntry *arena, *results;
  int *slots, *exponents; // of messages in the arena; of outputs
  unsigned *states;
  MpfEntry *greatest; // MPF_TEAM_WARPS x MPF_TEAM_LANES, shared
  unsigned long long pitch, i;
  unsigned lane, warp, warps;
  bool active; // a case of the list: else the last one, once more
};

MPF_FUNCTION MpfTeamStep mpfTeamStep(const MpfTeam &team, int step) {
  const MpfTeamHalf one = MPF_LD(MPF_SITE_TEAM_STEP, team.steps[2 * step]);
  const MpfTeamHalf two = MPF_LD(MPF_SITE_TEAM_STEP, team.steps[2 * step + 1]);
  const MpfTeamStep read = {one.a, one.b, one.c, one.d, two.a, two.b, two.c, two.d};
  return read;
}
MPF_FUNCTION MpfTeamPart mpfTeamPart(const MpfTeam &team, int part) {
  return MPF_LD(MPF_SITE_TEAM_PART, team.parts[part]);
}
MPF_FUNCTION int mpfTeamAddress(const MpfTeam &team, int place) {
  return MPF_LD(MPF_SITE_TEAM_ADDRESS, team.addresses[place]);
}
MPF_FUNCTION MpfEntry mpfTeamEntry(const MpfTeam &team, int entry) {
  return MPF_LD(MPF_SITE_TEAM_LOAD, team.arena[(long long)entry * MPF_TEAM_LANES + team.lane]);
}
MPF_FUNCTION void mpfTeamStore(const MpfTeam &team, int entry, MpfEntry value) {
  MPF_ST(MPF_SITE_TEAM_STORE, team.arena[(long long)entry * MPF_TEAM_LANES + team.lane], value);
}

// What a warp saw of the message that it is writing.
struct MpfTeamSeen {
  MpfEntry greatest;
};

MPF_FUNCTION unsigned mpfTeamCode(const MpfTeam &team, const MpfTeamPart &code) {
  const unsigned word =
      MPF_LD(MPF_SITE_TEAM_CODE, team.codes[(unsigned)code.where * team.pitch + team.i]);
  return word >> code.kept & (unsigned)code.slot;
}

/// message[e] = 1 where the case's code allows the state e, else 0.
MPF_FUNCTION void mpfTeamAllowed(const MpfTeam &team, const MpfTeamStep &step, MpfTeamSeen &seen) {
  const unsigned code = mpfTeamCode(team, mpfTeamPart(team, step.firstPart));
  for (unsigned e = team.warp; e < (unsigned)step.kept; e += team.warps) {
    const bool allowed = code == e || code == (unsigned)step.kept;
    seen.greatest = allowed ? mpfMax(seen.greatest, (MpfEntry)1) : seen.greatest;
    mpfTeamStore(team, step.result + (int)e, allowed ? (MpfEntry)1 : (MpfEntry)0);
  }
}

/// message[e] = image[row + e]: the row that the case's codes pick.
MPF_FUNCTION void mpfTeamRow(const MpfTeam &team, const MpfTeamStep &step, MpfTeamSeen &seen) {
  long long row = step.reduced;
  for (int c = 0; c < step.parts; ++c) {
    const MpfTeamPart code = mpfTeamPart(team, step.firstPart + c); // word, shift, stride, mask
    row += (long long)mpfTeamCode(team, code) * code.reduced;
  }
  for (int e = (int)team.warp; e < step.kept; e += (int)team.warps) {
    const MpfEntry entry = MPF_LD(MPF_SITE_TEAM_IMAGE, team.image[row + e]);
    seen.greatest = mpfMax(seen.greatest, mpfAbs(entry));
    mpfTeamStore(team, step.result + e, entry);
  }
}

MPF_FUNCTION void mpfTeamWeightRow(const MpfTeam &team, const MpfTeamStep &step,
                                   MpfTeamSeen &seen) {
  for (int e = (int)team.warp; e < step.kept; e += (int)team.warps) {
    const MpfEntry weight = MPF_LD(
        MPF_SITE_TEAM_CODE, team.weights[(unsigned)(step.reduced + e) * team.pitch + team.i]);
    seen.greatest = mpfMax(seen.greatest, mpfAbs(weight));
    mpfTeamStore(team, step.result + e, weight);
  }
}

// Where the operands of a product stand for the kept part of an address.
template <int kCount> struct MpfTeamPlaces {
  int at[kCount];
};

// Operands of a product: first those of the arena, then those of the image.
template <int kArena, int kImage> struct MpfTeamOperands {
  enum { kCount = kArena + kImage };
  int kept[kCount], reduced[kCount];

  MPF_FUNCTION void read(const MpfTeam &team, int firstPart, MpfTeamOperands &operands) {
    for (int s = 0; s < kCount; ++s) {
      const MpfTeamPart part = mpfTeamPart(team, firstPart + s);
      operands.kept[s] = part.kept;
      operands.reduced[s] = part.reduced;
    }
  }
};

template <int kArena, int kImage>
MPF_FUNCTION MpfEntry mpfTeamTerm(const MpfTeam &team, const MpfTeamPlaces<kArena + kImage> &places,
                                  const MpfTeamOperands<kArena, kImage> &operands, int r) {
  MpfEntry product = (MpfEntry)1;
#pragma unroll
  for (int s = 0; s < kArena + kImage; ++s) {
    const int entry = places.at[s] + mpfTeamAddress(team, operands.reduced[s] + r);
    const MpfEntry value = s < kArena ? mpfTeamEntry(team, entry)
                                      : MPF_LD(MPF_SITE_TEAM_IMAGE, team.image[entry]);
    product = s == 0 ? value : product * value;
  }
  return product;
}

template <int kArena, int kImage>
MPF_FUNCTION void mpfTeamProduct(const MpfTeam &team, const MpfTeamStep &step, MpfTeamSeen &seen) {
  MpfTeamOperands<kArena, kImage> operands;
  MpfTeamOperands<kArena, kImage>::read(team, step.firstPart, operands);
  for (int k = (int)team.warp; k < step.kept; k += (int)team.warps) {
    MpfTeamPlaces<kArena + kImage> places;
#pragma unroll
    for (int s = 0; s < kArena + kImage; ++s)
      places.at[s] = mpfTeamAddress(team, operands.kept[s] + k);
    MpfEntry total = mpfTeamTerm(team, places, operands, 0);
#pragma unroll 4
    for (int r = 1; r < step.reduced; ++r) {
      const MpfEntry term = mpfTeamTerm(team, places, operands, r);
      total = step.kind == mpfTeamMax ? mpfMax(total, term) : total + term;
    }
    seen.greatest = mpfMax(seen.greatest, mpfAbs(total));
    mpfTeamStore(team, step.result + k, total);
  }
}

/// For any number of operands.
MPF_FUNCTION void mpfTeamAnyProduct(const MpfTeam &team, const MpfTeamStep &step,
                                    MpfTeamSeen &seen) {
  for (int k = (int)team.warp; k < step.kept; k += (int)team.warps) {
    MpfEntry total = (MpfEntry)0;
    for (int r = 0; r < step.reduced; ++r) {
      MpfEntry term = (MpfEntry)1;
      for (int s = 0; s < step.parts; ++s) {
        const MpfTeamPart part = mpfTeamPart(team, step.firstPart + s);
        const int entry = mpfTeamAddress(team, part.kept + k) +
                          mpfTeamAddress(team, part.reduced + r);
        const MpfEntry value = part.where == mpfTeamArena
                                   ? mpfTeamEntry(team, entry)
                                   : MPF_LD(MPF_SITE_TEAM_IMAGE, team.image[entry]);
        term = s == 0 ? value : term * value;
      }
      total = r == 0 ? term : step.kind == mpfTeamMax ? mpfMax(total, term) : total + term;
    }
    seen.greatest = mpfMax(seen.greatest, mpfAbs(total));
    mpfTeamStore(team, step.result + k, total);
  }
}

MPF_FUNCTION void mpfTeamMultiply(const MpfTeam &team, const MpfTeamStep &step,
                                  MpfTeamSeen &seen) {
  int inArena = 0;
  for (int s = 0; s < step.parts; ++s)
    inArena += mpfTeamPart(team, step.firstPart + s).where == mpfTeamArena ? 1 : 0;
  switch (inArena * MPF_TEAM_COUNTS + step.parts - inArena) {
  case 1 * MPF_TEAM_COUNTS + 0:
    return mpfTeamProduct<1, 0>(team, step, seen);
  case 1 * MPF_TEAM_COUNTS + 1:
    return mpfTeamProduct<1, 1>(team, step, seen);
  case 2 * MPF_TEAM_COUNTS + 0:
    return mpfTeamProduct<2, 0>(team, step, seen);
  case 2 * MPF_TEAM_COUNTS + 1:
    return mpfTeamProduct<2, 1>(team, step, seen);
  case 3 * MPF_TEAM_COUNTS + 0:
    return mpfTeamProduct<3, 0>(team, step, seen);
  default:
    return mpfTeamAnyProduct(team, step, seen);
  }
}

/// The greatest magnitude of a lane over all warps.
MPF_FUNCTION MpfEntry mpfTeamGreatest(const MpfTeam &team, MpfEntry own) {
  MPF_ST(MPF_SITE_TEAM_GREATEST, team.greatest[team.warp * MPF_TEAM_LANES + team.lane], own);
  __syncthreads();
  MpfEntry greatest = (MpfEntry)0;
  for (unsigned warp = 0; warp < team.warps; ++warp)
    greatest = mpfMax(
        greatest, MPF_LD(MPF_SITE_TEAM_GREATEST, team.greatest[warp * MPF_TEAM_LANES + team.lane]));
  __syncthreads(); // before the next message's
  return greatest;
}

/// Rescales the message that the step has written (LinearPlan). Each warp the entries it wrote.
MPF_FUNCTION int mpfTeamRescale(const MpfTeam &team, const MpfTeamStep &step,
                                const MpfTeamSeen &seen, int target, int orders, bool &left) {
  const MpfEntry greatest = mpfTeamGreatest(team, seen.greatest);
  int exponent;
  const MpfEntry factor = mpfRescaling<MpfEntry>(greatest, target, exponent);
  const unsigned floor = mpfFloor<MpfEntry>(greatest, orders);
  left |= factor != factor; // maxima drop what is no number
  for (int k = (int)team.warp; k < step.kept; k += (int)team.warps) {
    const MpfEntry entry = mpfTeamEntry(team, step.result + k);
    left |= mpfMagnitude<MpfEntry, true>(entry) - 1u < floor - 1u;
    mpfTeamStore(team, step.result + k, entry * factor);
  }
  return exponent;
}

MPF_FUNCTION int mpfTeamSlot(const MpfTeam &team, int slot) {
  return slot < 0 ? 0
                  : MPF_LD(MPF_SITE_TEAM_EXPONENT,
                           team.slots[(long long)slot * MPF_TEAM_LANES + team.lane]);
}

/// The first warp keeps the exponents of a product: those of its operands, and what was taken away.
MPF_FUNCTION void mpfTeamKeepExponent(const MpfTeam &team, const MpfTeamStep &step, int own) {
  if (step.slot < 0 || team.warp != 0)
    return;
  if (step.kind == mpfTeamSum || step.kind == mpfTeamMax)
    for (int s = 0; s < step.parts; ++s)
      own += mpfTeamSlot(team, mpfTeamPart(team, step.firstPart + s).slot);
  MPF_ST(MPF_SITE_TEAM_EXPONENT, team.slots[(long long)step.slot * MPF_TEAM_LANES + team.lane],
         own);
}

/// An output: its entries are at addresses[kept + e]. `leaves`: the case left linear arithmetic.
MPF_FUNCTION void mpfTeamWrite(const MpfTeam &team, const MpfTeamStep &step, bool leaves) {
  MpfEntry share = (MpfEntry)1;
  const int first = step.firstPart;
  if ((step.flags & mpfTeamNormalises) != 0) {
    MpfEntry sum = (MpfEntry)0;
    for (int e = 0; e < step.kept; ++e)
      sum += mpfTeamEntry(team, mpfTeamAddress(team, first + e));
    share = mpfShare<MpfEntry>(sum);
  }
  for (int e = 0; e < step.kept && team.active; ++e) {
    const MpfEntry entry = mpfTeamEntry(team, mpfTeamAddress(team, first + e)) * share;
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
  for (unsigned state = 0; state < (unsigned)step.kept; ++state) {
    MpfEntry product = (MpfEntry)1;
    for (int t = 0; t < step.parts; ++t) {
      const MpfTeamPart part = mpfTeamPart(team, step.firstPart + t);
      int entry = part.kept;
      for (int pair = 0; pair < part.slot; ++pair) {
        const int variable = mpfTeamAddress(team, part.reduced + 2 * pair);
        const unsigned at =
            variable == step.result
                ? state
                : MPF_LD(MPF_SITE_TEAM_STATE, team.states[(unsigned)variable * team.pitch + team.i]);
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

/// All steps for 32 cases.
MPF_FUNCTION void mpfTeamRun(const MpfTeam &team, int stepCount, int target, int orders) {
  bool left = false;
  bool leaves = false, joined = false;
  for (int index = 0; index < stepCount; ++index) {
    const MpfTeamStep step = mpfTeamStep(team, index);
    if ((step.flags & mpfTeamWaits) != 0)
      __syncthreads();
    if (step.kind == mpfTeamOutput || step.kind == mpfTeamDecode) {
      if (!joined) { // whether any warp saw an entry that is too small
        leaves = mpfTeamGreatest(team, left ? (MpfEntry)1 : (MpfEntry)0) > (MpfEntry)0;
        joined = true;
      }
      if (step.kind == mpfTeamOutput) {
        if (index % (int)team.warps == (int)team.warp)
          mpfTeamWrite(team, step, leaves);
      } else if (team.warp == 0) { // one variable after the other
        mpfTeamChoose(team, step);
      }
      continue;
    }
    MpfTeamSeen seen = {(MpfEntry)0};
    if (step.kind == mpfTeamGather)
      mpfTeamRow(team, step, seen);
    else if (step.kind == mpfTeamIndicator)
      mpfTeamAllowed(team, step, seen);
    else if (step.kind == mpfTeamWeights)
      mpfTeamWeightRow(team, step, seen);
    else
      mpfTeamMultiply(team, step, seen);
    const int own = (step.flags & mpfTeamRescales) != 0
                        ? mpfTeamRescale(team, step, seen, target, orders, left)
                        : 0;
    mpfTeamKeepExponent(team, step, own);
  }
  __syncthreads(); // before the arena's next cases
}

MPF_FUNCTION void mpfTeamCases(MpfTeam team, int stepCount, int target, int orders, int count) {
  team.lane = threadIdx.x % MPF_TEAM_LANES;
  team.warp = threadIdx.x / MPF_TEAM_LANES;
  team.warps = blockDim.x / MPF_TEAM_LANES;
  const unsigned cases = (unsigned)count;
  for (unsigned first = blockIdx.x * MPF_TEAM_LANES; first < cases;
       first += gridDim.x * MPF_TEAM_LANES) {
    const unsigned own = first + team.lane;
    team.active = own < cases;
    team.i = team.active ? own : cases - 1;
    mpfTeamRun(team, stepCount, target, orders);
  }
}

#define MPF_TEAM_PARAMETERS                                                                        \
  const MpfTeamHalf *steps, const MpfTeamPart *parts, const int *addresses, const unsigned *codes, \
      const MpfEntry *weights, int pitch, int count, const MpfEntry *image, MpfEntry *results,     \
      int *exponents, unsigned *states, MpfEntry *scratch, int *slots, int stepCount,              \
      int arenaElems, int slotCount, int target, int orders

#define MPF_TEAM(arenaOfBlock)                                                                     \
  MPF_SHARED(MpfEntry, greatest, MPF_TEAM_WARPS *MPF_TEAM_LANES);                                  \
  const MpfTeam team = {steps,                                                                     \
                        parts,                                                                     \
                        addresses,                                                                 \
                        codes,                                                                     \
                        weights,                                                                   \
                        image,                                                                     \
                        arenaOfBlock,                                                              \
                        results,                                                                   \
                        slots + (long long)blockIdx.x * slotCount * MPF_TEAM_LANES,                \
                        exponents,                                                                 \
                        states,                                                                    \
                        greatest,                                                                  \
                        (unsigned)pitch,                                                           \
                        0,                                                                         \
                        0,                                                                         \
                        0,                                                                         \
                        0,                                                                         \
                        false};                                                                    \
  mpfTeamCases(team, stepCount, target, orders, count)

/// The arena in shared memory.
extern "C" __global__ void __launch_bounds__(1024) mpf_team_shared(MPF_TEAM_PARAMETERS) {
  MPF_DYN_SHARED(MpfEntry, arena);
  MPF_TEAM(arena);
}

/// The arena in memory of the block's own.
extern "C" __global__ void __launch_bounds__(1024) mpf_team_global(MPF_TEAM_PARAMETERS) {
  MPF_TEAM(scratch + (long long)blockIdx.x * arenaElems * MPF_TEAM_LANES);
}
