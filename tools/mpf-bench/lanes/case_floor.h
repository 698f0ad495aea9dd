// The floor of a list of cases that is answered in lanes: the least time of the program with any
// kernel. It is the longest of three times, which may overlap:
//
//   bytes       codes and weights in, answers out, at the copy limit
//   arithmetic  the multiplications and additions of the steps, at the peak of their type
//   rows        GPU: entries of the rows that cases pick from tables over evidence digits, through
//               shared memory, each bank one word a cycle
//
// Steps are those of the planner: another program for the query may have fewer.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "codegen/kernel/form/target.h"

#include <cstdint>
#include <string>

namespace mpf::bench {

struct CaseFloor {
  double bytesSeconds = 0, arithmeticSeconds = 0, rowsSeconds = 0;

  double seconds() const;
  std::string bound() const; ///< "bytes", "arithmetic", "rows"; empty: there is no floor
};

/// Returns the floor of `rows` cases on `cores` devices like the target: threads of the CPU, or one
/// GPU. Copies run at the rate of one device, because threads share the memory.
CaseFloor caseFloor(const LaneProgram &program, ElementType type, uint64_t rows,
                    const Target &target, unsigned cores);

/// Returns the bytes of a case: its codes (one, two or four each), weights and answers.
uint64_t caseBytes(const LaneProgram &program, ElementType type);

} // namespace mpf::bench
