// --- Teams: table-driven kernels of lane programs ------------------------------------------------
// A block (a team) answers up to 32 cases at a time, one in each lane. As many threads as there are
// lanes are a worker: a warp, or a part of one where there are few cases. The workers share the
// entries of every message. A message keeps the values of an entry for all lanes side by side in
// the arena, in shared memory or in memory of the block's own. The program is data
// (codegen/bundle/lanes/team_program.h): one text runs any program, whatever its size, and is
// compiled once.

// The same layouts as TeamStep, in quarters that are one load each, and TeamPart on the host.
struct __align__(16) MpfTeamFour {
  int a, b, c, d;
};
struct __align__(8) MpfTeamTwo {
  int a, b;
};
struct MpfTeamStep {
  int kind, kept, reduced, result, parts, firstPart, flags, slot;
  int leftParts, left, right, rest, leftList, rightList, restList, termList;
};
struct __align__(16) MpfTeamPart {
  int where, kept, reduced, slot;
};
enum { mpfTeamGather, mpfTeamSum, mpfTeamMax, mpfTeamWeights, mpfTeamOutput, mpfTeamDecode };
enum { mpfTeamIndicator = mpfTeamDecode + 1 };
enum { mpfTeamRescales = 1, mpfTeamWaits = 2, mpfTeamNormalises = 4 };
enum { mpfTeamArena, mpfTeamImage };

#define MPF_TEAM_THREADS 512 // at most: kMostTeamWarps
#define MPF_TEAM_TILE 4      // kTeamTile
#define MPF_TEAM_WARP 32     // kCasesOfTeam

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
  const MpfTeamFour *steps;
  const MpfTeamPart *parts;
  const int *addresses;
  const unsigned *codes;
  const MpfEntry *weights, *image;
  MpfEntry *arena, *results;
  int *slots, *exponents; // of messages in the arena; of outputs
  unsigned *states;
  MpfEntry *greatest; // workers x lanes, shared
  unsigned long long pitch, i;
  unsigned lane, lanes, worker, workers;
  bool active; // a case of the list: else the last one, once more
};

MPF_FUNCTION MpfTeamStep mpfTeamStep(const MpfTeam &team, int step) {
  const MpfTeamFour one = MPF_LD(MPF_SITE_TEAM_STEP, team.steps[4 * step]);
  const MpfTeamFour two = MPF_LD(MPF_SITE_TEAM_STEP, team.steps[4 * step + 1]);
  const MpfTeamFour three = MPF_LD(MPF_SITE_TEAM_STEP, team.steps[4 * step + 2]);
  const MpfTeamFour four = MPF_LD(MPF_SITE_TEAM_STEP, team.steps[4 * step + 3]);
  const MpfTeamStep read = {one.a,   one.b,   one.c,   one.d,   two.a,  two.b,  two.c,  two.d,
                            three.a, three.b, three.c, three.d, four.a, four.b, four.c, four.d};
  return read;
}
MPF_FUNCTION MpfTeamPart mpfTeamPart(const MpfTeam &team, int part) {
  return MPF_LD(MPF_SITE_TEAM_PART, team.parts[part]);
}
MPF_FUNCTION int mpfTeamAddress(const MpfTeam &team, int place) {
  return MPF_LD(MPF_SITE_TEAM_ADDRESS, team.addresses[place]);
}
MPF_FUNCTION MpfEntry mpfTeamEntry(const MpfTeam &team, int entry) {
  return MPF_LD(MPF_SITE_TEAM_LOAD, team.arena[(long long)entry * team.lanes + team.lane]);
}
MPF_FUNCTION void mpfTeamStore(const MpfTeam &team, int entry, MpfEntry value) {
  MPF_ST(MPF_SITE_TEAM_STORE, team.arena[(long long)entry * team.lanes + team.lane], value);
}

// The greatest entry that a worker has written of a message.
struct MpfTeamSeen {
  MpfEntry greatest;
};
