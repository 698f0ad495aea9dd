// Prints the text form of a table program (--emit=plan). read_program.h reads it back to the same
// program.
//
//   # <statistics>
//   plan "evidence" evidence rounds=12           name, kind of query; rounds of search unless 0
//   variable x extent=3                          numbered from 0 in this order
//   variable y extent=2 observed=1               observed in state 1
//   variable z extent=2 sliced                   conditioned on: comes first in the order
//   variable "copy(z)" extent=2 copy 2           copy of variable 2; `sliced copy 2` if it is the
//                                                variable of a reentered loop
//   variable w extent=2 unasked                  marginals: there is no posterior of it
//   order 2 0                                    variables, most significant first
//   table f factor=0 scope 2 0                   numbered from 0; scope in the global order
//   table g factor=1 scope 2 0 layout 0 2        stored in this order of the same variables
//   table i factor=3 scope 0 packed              a GPU stores it as bits
//   table h factor=2 scope 2 0 same 0            has the same entries as table 0
//   table "ones(z)" fill=1 scope 3
//   table "copy(z)" identity scope 2 3
//   op sum-product tables 0 1 reduce 0           # m0(z) = sum(x) f * g, 24 addresses
//   op ... [splits 4] [layout 0 2] [same 3] [kept]   in this order; splits only after `reduce`
//   chain message 4 ops 1 to 3                   operations 1 to 3 may be one kernel
//   output evidence table 5 scope                [normalised before `scope`]
//   traceback 2 tables 0 4                       variable, tables
//
// The result of an `op` is the next table: results get the numbers after the inputs, in execution
// order. Sizes, scopes of results and costs follow from the rest and are not written. The values of
// factors are not part of a plan: to run a plan that was read from text, the model is needed too.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <string>

namespace mpf {

/// Returns the text of a sound program (verify_program.h; it need not have been through all
/// passes). `type` is used only for the memory figures in the comments at its start.
std::string printProgram(const TableProgram &program, ElementType type = ElementType::F64);

} // namespace mpf
