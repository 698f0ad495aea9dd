// Prints the text form of a lane program (--emit=lanes). read_lane_program.h reads it back to the
// same program.
//
//   # <statistics>
//   lanes "evidence" evidence f64 sum-product    name, kind of query, type, semiring
//   ...                                          the lines of its head (head/print_head.h)
//   asked 0 1                                    the query asks for a table over these variables
//   rows 1                                       which sums to 1 for each state of the first
//   values factor=f elems=6                      numbered from 0; without entries: to be bound
//   values factor="P(y)" elems=4 row=2           so many entries sum to 1
//     entries 0.6 0.4 0.99 0.01 1 0              one line or more
//   values elems=6                               of the program's own
//   table f values 0                             numbered from 0; of values 0
//   table "observed(x)" indicator 0              of column 0
//   table "likelihood(z)" weights 0              of likelihood 0, or behind them of a varying table
//   table c0 common elems=8
//   table m1 message elems=3 at=16               entries in a lane, and where its arena has them
//   common 3 kept 4 2 reduced 3                  makes table 3, once: extents of the digits, most
//     operand 0 base=0 strides 0 1 2             significant first; an operand's entry is at
//     result strides 2 1 0                       base + sum of digit * stride
//   gather 4 from 3 codes 0:2 1:8                table 4 = the entries of table 3 from the sum of
//                                                code * stride on, by column
//   step 5 kept 3 reduced 2                      makes table 5 in each lane; lines as of `common`
//   output "P(x)" table 5 [normalised] scope 0 strides 1
//   traceback 2                                  chooses the state of variable 2 ...
//     factor 5 base=0 scope 2 0 strides 1 3      ... by the product of these tables
//
// Common operations run in this order, then `gather` and `step` in theirs for each case.
#pragma once

#include "codegen/bundle/head/print_head.h"
#include "codegen/bundle/lanes/lane_program.h"

#include <string>

namespace mpf {

/// Returns the text of a program, which must be sound (verify_lane_program.h).
std::string printLaneProgram(const LaneProgram &program, EntryText values = EntryText::Printed);

} // namespace mpf
