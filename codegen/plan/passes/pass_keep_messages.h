// Marks the messages that outlast a run: constant folding for sessions, which run a program many
// times.
//
// A table is constant if it depends on no input that usually changes (InputContents::mayChange): no
// factor that the host program binds, and no factor restricted to an observed state. A constant
// table is computed in the first run and reused by all later ones. Constant tables that the host or
// later runs read are marked `kept`: no other table uses their memory. With KeptMessages::All every
// message is kept. A run then computes only what depends on changes since the last run, which
// runtime/schedule/needed_operations.h finds out.
//
// This takes memory: a plan above its bound is tried with fewer kept messages (plan_trials.h).
// Tables of a single slice are never kept, because the next slice overwrites them.
#pragma once

#include "codegen/plan/initial/input_contents.h"
#include "codegen/plan/program/plan_options.h"
#include "codegen/plan/program/table_program.h"

namespace mpf {

/// Runs after pass_share_tables.h, which decides which tables are stored. No table may be kept yet.
/// A program in which nothing usually changes stays as it is: its second run has nothing to
/// compute.
void passKeepMessages(TableProgram &program, const InputContents &contents, KeptMessages which);

} // namespace mpf
