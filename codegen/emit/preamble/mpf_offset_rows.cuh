// OFFSET ROWS: the offsets of an operation's operands for the parts of an address. A team computes them
// once for a task, in shared memory. An address then costs the rows of its parts and no step over
// its digits. Follows mpf_level_task.cuh.

// A row holds a word for each operand, four in a unit of 16 bytes.
struct __align__(16) MpfRowUnit {
  unsigned at[4];
};
enum { mpfMostRowUnits = MPF_MAX_OPERANDS / 4 };

MPF_FUNCTION int mpfRowUnits(int operandCount) { return (operandCount + 3) / 4; }

// Rows of all parts, low ones first. Unit u of row i is at [u * rows + i], so that the lanes of a
// warp read consecutive units.
struct MpfOffsetTable {
  const MpfRowUnit *units;
  unsigned rows;                    // of lows and highs
  unsigned lows, multiplier, shift; // as in MpfAddressParts
  unsigned firstHigh;               // the row of high part h is firstHigh + h, perhaps past 0
};

struct MpfTeamTables {
  MpfOffsetTable outputs, terms;
};

// Offsets in the operands.
template <int kUnits> struct MpfRow {
  unsigned at[4 * kUnits];

  MPF_FUNCTION MpfRow zero() {
    MpfRow row;
#pragma unroll
    for (int i = 0; i < 4 * kUnits; ++i)
      row.at[i] = 0;
    return row;
  }
  __device__ __forceinline__ void add(const MpfOffsetTable &table, int units, unsigned row) {
#pragma unroll
    for (int u = 0; u < kUnits; ++u) {
      if (u >= units)
        continue;
      const MpfRowUnit unit = MPF_LD(MPF_SITE_OFFSET_LOAD, table.units[u * table.rows + row]);
#pragma unroll
      for (int i = 0; i < 4; ++i)
        at[4 * u + i] += unit.at[i];
    }
  }
};

// The row of an address: `units` of it, at most kUnits.
template <int kUnits>
MPF_FUNCTION MpfRow<kUnits> mpfRowAt(const MpfOffsetTable &table, int units, unsigned address) {
  const unsigned high = mpfDivide(address, table.multiplier, table.shift);
  MpfRow<kUnits> row = MpfRow<kUnits>::zero();
  row.add(table, units, address - high * table.lows);
  row.add(table, units, table.firstHigh + high);
  return row;
}

// Unit `u` of row `row`: low parts are of the last `lowDigits` of the digits, high ones of those in
// front of them. Extents and offsets of operations with rows fit words: the low ones of theirs.
MPF_FUNCTION MpfRowUnit mpfRowUnit(const MpfDigit *digits, int digitCount,
                                   const MpfAddressParts *parts, unsigned row, int u) {
  const unsigned lows = MPF_LD(MPF_SITE_TASK, parts->lows);
  const bool low = row < lows;
  unsigned address = low ? row : MPF_LD(MPF_SITE_TASK, parts->firstHigh) + (row - lows);
  MpfRowUnit unit = {{0, 0, 0, 0}};
#pragma unroll 1
  for (int d = digitCount - 1 - (low ? 0 : MPF_LD(MPF_SITE_TASK, parts->lowDigits));
       d >= 0 && address != 0; --d) {
    const unsigned extent = MPF_LD(MPF_SITE_EXTENT, MPF_VEC(const unsigned, digits[d].extent));
    const unsigned rest = mpfDivide(address, MPF_LD(MPF_SITE_EXTENT, digits[d].multiplier),
                                    MPF_LD(MPF_SITE_EXTENT, digits[d].shift));
    const unsigned digit = address - rest * extent;
    address = rest;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const MpfRowUnit strides = MPF_LD(
          MPF_SITE_STRIDE, MPF_VEC(const MpfRowUnit, digits[d].stride[4 * u + 2 * i]));
      unit.at[2 * i] += digit * strides.at[0];
      unit.at[2 * i + 1] += digit * strides.at[2];
    }
  }
  return unit;
}

MPF_FUNCTION MpfOffsetTable mpfLayTable(const MpfAddressParts *parts, const MpfRowUnit *room) {
  MpfOffsetTable table;
  table.units = room;
  table.lows = MPF_LD(MPF_SITE_TASK, parts->lows);
  table.rows = table.lows + MPF_LD(MPF_SITE_TASK, parts->highs);
  table.multiplier = MPF_LD(MPF_SITE_TASK, parts->multiplier);
  table.shift = MPF_LD(MPF_SITE_TASK, parts->shift);
  table.firstHigh = table.lows - MPF_LD(MPF_SITE_TASK, parts->firstHigh);
  return table;
}

// Makes the rows with the whole team in `room`, the shared memory behind its record. Reads no results.
MPF_FUNCTION MpfTeamTables mpfMakeTables(const MpfOperation *op, const MpfDigit *digits,
                                         const MpfLevelTask *task, MpfRowUnit *room) {
  const unsigned units = (unsigned)mpfRowUnits(MPF_LD(MPF_SITE_OPERATION, op->operandCount));
  const int kept = MPF_LD(MPF_SITE_OPERATION, op->keptDigits);
  const int reduced = MPF_LD(MPF_SITE_OPERATION, op->reducedDigits);
  MpfTeamTables tables;
  tables.outputs = mpfLayTable(&task->outputParts, room);
  tables.terms = mpfLayTable(&task->termParts, room + units * tables.outputs.rows);
  const unsigned rows = tables.outputs.rows + tables.terms.rows;
#pragma unroll 1
  for (unsigned i = mpfTeamThread(task); i < units * rows; i += mpfTeamThreads(task)) {
    const unsigned u = i < rows ? 0 : 1; // of at most two units
    const unsigned row = i - u * rows;
    const bool output = row < tables.outputs.rows;
    const MpfRowUnit unit =
        mpfRowUnit(output ? digits : digits + kept, output ? kept : reduced,
                   output ? &task->outputParts : &task->termParts,
                   output ? row : row - tables.outputs.rows, (int)u);
    const unsigned at = output ? u * tables.outputs.rows + row
                               : units * tables.outputs.rows + u * tables.terms.rows +
                                     (row - tables.outputs.rows);
    MPF_ST(MPF_SITE_OFFSET_STORE, room[at], unit);
  }
  if ((MPF_LD(MPF_SITE_TASK, task->flags) & mpfTaskBlock) != 0)
    __syncthreads();
  else
    __syncwarp();
  return tables;
}
