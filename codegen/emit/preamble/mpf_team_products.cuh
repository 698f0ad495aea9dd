// --- Teams: products -----------------------------------------------------------------------------
// A worker computes the entries of a product in tiles (codegen/bundle/lanes/team_split.h): so many
// left values by as many right ones, or by one. All its loads for a term are under way at once.
// Behind the last value of a digit a tile takes that value again and does not store it.

MPF_FUNCTION MpfTeamTwo mpfTeamTwo(const MpfTeam &team, int place) {
  return MPF_LD(MPF_SITE_TEAM_ADDRESS, MPF_VEC(const MpfTeamTwo, team.addresses[place]));
}
MPF_FUNCTION MpfTeamFour mpfTeamFour(const MpfTeam &team, int place) {
  return MPF_LD(MPF_SITE_TEAM_ADDRESS, MPF_VEC(const MpfTeamFour, team.addresses[place]));
}
MPF_FUNCTION int mpfTeamLeast(int a, int b) { return a < b ? a : b; }

/// The arena of the lane, or the tables that all cases share.
struct MpfTeamOperand {
  const MpfEntry *first;
  int pitch;
};

MPF_FUNCTION MpfTeamOperand mpfTeamOperand(const MpfTeam &team, int part) {
  const bool isOwn = mpfTeamPart(team, part).where == mpfTeamArena;
  const MpfTeamOperand operand = {isOwn ? team.arena + team.lane : team.image,
                                  isOwn ? (int)team.lanes : 1};
  return operand;
}
MPF_FUNCTION MpfEntry mpfTeamLoad(const MpfTeamOperand &operand, int entry) {
  return MPF_LD(MPF_SITE_TEAM_LOAD, operand.first[(long long)entry * operand.pitch]);
}

// Registers with one place, or one entry, for each value of a side of a tile.
template <int kValues> struct MpfTeamPlaces { int at[kValues]; };
template <int kValues> struct MpfTeamValues { MpfEntry at[kValues]; };

/// The first values of a tile.
struct MpfTeamTile {
  int left, right, rest;
};

template <int kRight> MPF_FUNCTION unsigned mpfTeamTiles(const MpfTeamStep &step) {
  return (unsigned)((step.left + MPF_TEAM_TILE - 1) / MPF_TEAM_TILE *
                    ((step.right + kRight - 1) / kRight) * step.rest);
}
template <int kRight>
MPF_FUNCTION MpfTeamTile mpfTeamTile(const MpfTeamStep &step, unsigned number) {
  const unsigned rights = kRight == 1 ? 1u : (unsigned)(step.right + kRight - 1) / kRight;
  const unsigned lefts = (unsigned)(step.left + MPF_TEAM_TILE - 1) / MPF_TEAM_TILE;
  const unsigned row = number / rights, rest = row / lefts;
  const MpfTeamTile tile = {(int)(row - rest * lefts) * MPF_TEAM_TILE,
                            (int)(number - row * rights) * kRight, (int)rest};
  return tile;
}

template <int kRight>
MPF_FUNCTION void
mpfTeamStoreTile(const MpfTeam &team, const MpfTeamStep &step, const MpfTeamTile &tile,
                 const MpfTeamPlaces<MPF_TEAM_TILE> &lefts, const MpfTeamPlaces<kRight> &rights,
                 const MpfTeamValues<MPF_TEAM_TILE * kRight> &totals, MpfTeamSeen &seen) {
#pragma unroll
  for (int l = 0; l < MPF_TEAM_TILE; ++l)
#pragma unroll
    for (int r = 0; r < kRight; ++r) {
      const MpfEntry total = totals.at[l * kRight + r];
      seen.greatest = mpfMax(seen.greatest, mpfAbs(total));
      if (tile.left + l < step.left && tile.right + r < step.right)
        mpfTeamStore(team, lefts.at[l] + rights.at[r], total);
    }
}

/// Sums of two operands, one on each side.
template <int kRight>
MPF_FUNCTION void mpfTeamOuter(const MpfTeam &team, const MpfTeamStep &step, unsigned first,
                               MpfTeamSeen &seen) {
  const MpfTeamOperand a = mpfTeamOperand(team, step.firstPart);
  const MpfTeamOperand b = mpfTeamOperand(team, step.firstPart + 1);
  for (unsigned number = first; number < mpfTeamTiles<kRight>(step); number += team.workers) {
    const MpfTeamTile tile = mpfTeamTile<kRight>(step, number);
    const MpfTeamFour rest = mpfTeamFour(team, step.restList + 4 * tile.rest);
    MpfTeamPlaces<MPF_TEAM_TILE> aPlaces, lefts;
    MpfTeamPlaces<kRight> bPlaces, rights;
#pragma unroll
    for (int l = 0; l < MPF_TEAM_TILE; ++l) {
      const int value = mpfTeamLeast(tile.left + l, step.left - 1);
      const MpfTeamTwo own = mpfTeamTwo(team, step.leftList + 2 * value);
      lefts.at[l] = rest.a + own.a;
      aPlaces.at[l] = rest.b + own.b;
    }
#pragma unroll
    for (int r = 0; r < kRight; ++r) {
      const int value = mpfTeamLeast(tile.right + r, step.right - 1);
      const MpfTeamTwo own = mpfTeamTwo(team, step.rightList + 2 * value);
      rights.at[r] = own.a;
      bPlaces.at[r] = rest.c + own.b;
    }
    MpfTeamValues<MPF_TEAM_TILE *kRight> totals = {};
#pragma unroll 2
    for (int t = 0; t < step.reduced; ++t) {
      const MpfTeamTwo term = mpfTeamTwo(team, step.termList + 2 * t);
      MpfTeamValues<MPF_TEAM_TILE> left;
      MpfTeamValues<kRight> right;
#pragma unroll
      for (int l = 0; l < MPF_TEAM_TILE; ++l)
        left.at[l] = mpfTeamLoad(a, aPlaces.at[l] + term.a);
#pragma unroll
      for (int r = 0; r < kRight; ++r)
        right.at[r] = mpfTeamLoad(b, bPlaces.at[r] + term.b);
#pragma unroll
      for (int l = 0; l < MPF_TEAM_TILE; ++l)
#pragma unroll
        for (int r = 0; r < kRight; ++r)
          totals.at[l * kRight + r] += left.at[l] * right.at[r];
    }
    mpfTeamStoreTile<kRight>(team, step, tile, lefts, rights, totals, seen);
  }
}

/// Sums of two operands, both on the left side.
MPF_FUNCTION void mpfTeamInner(const MpfTeam &team, const MpfTeamStep &step, unsigned first,
                               MpfTeamSeen &seen) {
  const MpfTeamOperand a = mpfTeamOperand(team, step.firstPart);
  const MpfTeamOperand b = mpfTeamOperand(team, step.firstPart + 1);
  const MpfTeamFour rest = mpfTeamFour(team, step.restList);
  for (unsigned number = first; number < mpfTeamTiles<1>(step); number += team.workers) {
    const MpfTeamTile tile = mpfTeamTile<1>(step, number);
    MpfTeamPlaces<MPF_TEAM_TILE> aPlaces, bPlaces, lefts;
#pragma unroll
    for (int l = 0; l < MPF_TEAM_TILE; ++l) {
      const int value = mpfTeamLeast(tile.left + l, step.left - 1);
      const MpfTeamFour own = mpfTeamFour(team, step.leftList + 4 * value);
      lefts.at[l] = rest.a + own.a;
      aPlaces.at[l] = rest.b + own.b;
      bPlaces.at[l] = rest.c + own.c;
    }
    MpfTeamValues<MPF_TEAM_TILE> totals = {};
#pragma unroll 2
    for (int t = 0; t < step.reduced; ++t) {
      const MpfTeamTwo term = mpfTeamTwo(team, step.termList + 2 * t);
      MpfTeamValues<MPF_TEAM_TILE> left, right;
#pragma unroll
      for (int l = 0; l < MPF_TEAM_TILE; ++l) {
        left.at[l] = mpfTeamLoad(a, aPlaces.at[l] + term.a);
        right.at[l] = mpfTeamLoad(b, bPlaces.at[l] + term.b);
      }
#pragma unroll
      for (int l = 0; l < MPF_TEAM_TILE; ++l)
        totals.at[l] += left.at[l] * right.at[l];
    }
    const MpfTeamPlaces<1> rights = {{0}};
    mpfTeamStoreTile<1>(team, step, tile, lefts, rights, totals, seen);
  }
}

/// Numbers from one record of a list to the next (teamRecordElems).
MPF_FUNCTION int mpfTeamRecord(int numbers) {
  return numbers <= 2 ? numbers : (numbers + 3) / 4 * 4;
}

/// The product of one side's operands, `count` from part `from` on, for the values of a tile.
template <int kValues>
MPF_FUNCTION void mpfTeamSide(const MpfTeam &team, const MpfTeamStep &step, int from, int count,
                              int list, int first, int last, int rest, int term,
                              MpfTeamValues<kValues> &products) {
#pragma unroll
  for (int v = 0; v < kValues; ++v)
    products.at[v] = (MpfEntry)1;
#pragma unroll 1 // rare, and its code takes as long to compile as all else
  for (int s = 0; s < count; ++s) {
    const MpfTeamOperand operand = mpfTeamOperand(team, step.firstPart + from + s);
    const int place =
        mpfTeamAddress(team, rest + 1 + from + s) + mpfTeamAddress(team, term + from + s);
#pragma unroll
    for (int v = 0; v < kValues; ++v) {
      const int record = list + mpfTeamRecord(1 + count) * mpfTeamLeast(first + v, last);
      products.at[v] *= mpfTeamLoad(operand, place + mpfTeamAddress(team, record + 1 + s));
    }
  }
}

/// Sums or maxima, of any number of operands.
template <int kRight>
MPF_FUNCTION void mpfTeamAnyProduct(const MpfTeam &team, const MpfTeamStep &step, unsigned first,
                                    MpfTeamSeen &seen) {
  const int rightParts = step.parts - step.leftParts;
  for (unsigned number = first; number < mpfTeamTiles<kRight>(step); number += team.workers) {
    const MpfTeamTile tile = mpfTeamTile<kRight>(step, number);
    const int rest = step.restList + mpfTeamRecord(1 + step.parts) * tile.rest;
    MpfTeamValues<MPF_TEAM_TILE *kRight> totals = {};
#pragma unroll 1
    for (int t = 0; t < step.reduced; ++t) {
      const int term = step.termList + mpfTeamRecord(step.parts) * t;
      MpfTeamValues<MPF_TEAM_TILE> left;
      MpfTeamValues<kRight> right;
      mpfTeamSide<MPF_TEAM_TILE>(team, step, 0, step.leftParts, step.leftList, tile.left,
                                 step.left - 1, rest, term, left);
      mpfTeamSide<kRight>(team, step, step.leftParts, rightParts, step.rightList, tile.right,
                          step.right - 1, rest, term, right);
#pragma unroll
      for (int l = 0; l < MPF_TEAM_TILE; ++l)
#pragma unroll
        for (int r = 0; r < kRight; ++r) {
          MpfEntry &total = totals.at[l * kRight + r];
          const MpfEntry product = left.at[l] * right.at[r];
          total = t == 0                    ? product
                  : step.kind == mpfTeamMax ? mpfMax(total, product)
                                            : total + product;
        }
    }
    MpfTeamPlaces<MPF_TEAM_TILE> lefts;
    MpfTeamPlaces<kRight> rights;
#pragma unroll
    for (int l = 0; l < MPF_TEAM_TILE; ++l)
      lefts.at[l] =
          mpfTeamAddress(team, rest) +
          mpfTeamAddress(team, step.leftList + mpfTeamRecord(1 + step.leftParts) *
                                                   mpfTeamLeast(tile.left + l, step.left - 1));
#pragma unroll
    for (int r = 0; r < kRight; ++r)
      rights.at[r] =
          mpfTeamAddress(team, step.rightList + mpfTeamRecord(1 + rightParts) *
                                                    mpfTeamLeast(tile.right + r, step.right - 1));
    mpfTeamStoreTile<kRight>(team, step, tile, lefts, rights, totals, seen);
  }
}

/// The tiles from `first` on, each team.workers-th.
MPF_FUNCTION void mpfTeamProduct(const MpfTeam &team, const MpfTeamStep &step, unsigned first,
                                 MpfTeamSeen &seen) {
  const bool isSumOfTwo = step.parts == 2 && step.kind == mpfTeamSum;
  if (isSumOfTwo && step.leftParts == 2)
    mpfTeamInner(team, step, first, seen);
  else if (isSumOfTwo && step.right == 1)
    mpfTeamOuter<1>(team, step, first, seen);
  else if (isSumOfTwo)
    mpfTeamOuter<MPF_TEAM_TILE>(team, step, first, seen);
  else if (step.right == 1)
    mpfTeamAnyProduct<1>(team, step, first, seen);
  else
    mpfTeamAnyProduct<MPF_TEAM_TILE>(team, step, first, seen);
}

/// The number of shares for the workers: tiles of a product, else entries.
MPF_FUNCTION unsigned mpfTeamShares(const MpfTeamStep &step) {
  if (step.kind != mpfTeamSum && step.kind != mpfTeamMax)
    return (unsigned)step.kept;
  return step.right == 1 ? mpfTeamTiles<1>(step) : mpfTeamTiles<MPF_TEAM_TILE>(step);
}
