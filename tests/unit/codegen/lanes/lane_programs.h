// Makes small lane programs for tests, by hand and at random.
#pragma once

#include "codegen/bundle/lanes/common_tables.h"
#include "codegen/bundle/lanes/lane_program.h"

#include <random>
#include <string>
#include <vector>

namespace mpf::test {

/// A program under construction: tables of one dimension.
class LaneProgramBuilder {
public:
  LaneProgramBuilder();
  uint32_t values(std::vector<double> entries);
  uint32_t message(uint64_t sizeElems);
  /// message[e] = the product of the operands' entries e, or of entry 0 of smaller ones.
  void multiply(uint32_t message, const std::vector<uint32_t> &operands);
  /// message[0] = the sum of the operand's entries.
  void sum(uint32_t message, uint32_t operand);
  void output(uint32_t message);

  LaneProgram program;
};

/// Returns a valid program of `steps` steps; its messages have places.
LaneProgram randomLaneProgram(std::mt19937_64 &random, size_t steps);

/// Returns a valid program with a table of every kind, over variables a, b and c; c is fixed. Cases
/// observe a and weigh the states of b. `kind`: Evidence, Marginals or Mpe.
LaneProgram smallLaneProgram(QueryKind kind);

/// The common tables with the program's own values.
CommonTables commonOf(const LaneProgram &program);

/// Returns a program of the sum of the squares of `elems` values: its messages have as many
/// entries.
inline LaneProgram sumOfSquares(uint32_t elems) {
  LaneProgramBuilder builder;
  const uint32_t values = builder.values(std::vector<double>(elems, 0.5));
  const uint32_t square = builder.message(elems), total = builder.message(1);
  builder.multiply(square, {values, values});
  builder.sum(total, square);
  builder.output(total);
  builder.program.laneElems = elems + 1;
  builder.program.tables[total].offsetElems = elems;
  return std::move(builder.program);
}

} // namespace mpf::test
