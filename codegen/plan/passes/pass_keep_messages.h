// MESSAGES THAT OUTLAST A RUN: constant folding for sessions, which run a program many times.
//
// A table is constant if it depends on no input that a session binds and on no state that it may
// observe anew. A constant table is computed in the first run and reused by all later ones.
// Constant tables with a reader that is not constant are marked `kept`: no other table uses their
// memory. With KeptMessages::All every message is kept, and a run computes only what depends on
// changes since the last run (runtime/schedule/needed_operations.h finds out what that is).
//
// This costs memory: a plan above its bound is tried with fewer kept messages (plan_trials.h).
// Tables of a single slice are never kept, because the next slice overwrites them.
#pragma once

#include "codegen/plan/initial/input_contents.h"
#include "codegen/plan/program/plan_options.h"
#include "codegen/plan/program/table_program.h"

namespace mpf {

/// Runs after pass_share_tables.h, which decides which tables are stored. A program in which
/// nothing can change stays as it is: its second run has nothing to compute.
void passKeepMessages(TableProgram &program, const InputContents &contents, KeptMessages which);

} // namespace mpf
