// MESSAGES THAT OUTLAST A RUN: constant folding for sessions, which run a program many times.
//
// What depends on no input that a session binds and on no state that it may observe anew is
// constant: computed in the first run, found in its place by all others. Those constant tables that
// something not constant reads are `kept`: nothing else lies in their memory. With
// KeptMessages::All every message is, and a run computes only what depends on what changed since
// the last one (the runtime finds out what that is: runtime/schedule/needed_operations.h).
//
// Costs memory: a plan over its bound is tried with fewer (build_program.cpp). Tables of one slice
// are never kept: the next slice overwrites them.
#pragma once

#include "codegen/plan/initial/input_contents.h"
#include "codegen/plan/program/plan_options.h"
#include "codegen/plan/program/table_program.h"

namespace mpf {

/// After pass_share_tables.h, which decides what is stored at all. A program of which nothing can
/// change stays as it is: its second run has nothing to compute.
void passKeepMessages(TableProgram &program, const InputContents &contents, KeptMessages which);

} // namespace mpf
