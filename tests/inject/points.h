// Points of injection: every call of a kind has a number, and one number (or all from it on) is
// chosen to go wrong.
//
// From outside, by the environment of a program that this library is preloaded into:
//   MPF_INJECT=KIND:NUMBER:HOW   HOW: an errno (ENOSPC), short, kill-before, kill-after
//   MPF_INJECT=KIND:NUMBER+:HOW  that call and all later ones
//   MPF_INJECT=KIND:NUMBER~:HOW  that call and all later ones of more than 4 KiB
//   MPF_INJECT=count             nothing fails
//   MPF_INJECT_IN=child          calls of processes that it forks count, each by itself, not its
//   own MPF_INJECT_COUNTS=FILE       in the end "KIND CALLS" is appended, and for each call stack
//                                "site KIND NUMBER PLACE", the number of its first call; the same
//                                place has the same number in every run
//   MPF_INJECT_FIRED=FILE        is made, with the call stack, when the point is reached
// Calls are counted from main() on. From inside: the functions at the end.
#pragma once

namespace inject {

enum class Kind {
#define MPF_KIND(name) name,
#include "tests/inject/kinds.def"
#undef MPF_KIND
};

enum class How { Proceed, Fail, Short, KillBefore, KillAfter };

struct Verdict {
  How how = How::Proceed;
  int error = 0;
};

/// Counts one call and says what is to become of it. Async-signal-safe unless stacks are recorded.
Verdict arrive(Kind kind, unsigned long bytes = 0);
[[noreturn]] void killSelf();
/// In a process that was just forked.
void enterChild();
void writeCounts();
/// Appended to MPF_INJECT_FIRED, if the point was reached.
void addStack();
void readEnvironment();

} // namespace inject

// For a program that links this library: in the calling process, until disarmed.
extern "C" {
void mpfInjectArm(const char *kind, unsigned long number, char onwards, int error);
/// Whether the point was reached; nothing fails any more.
bool mpfInjectDisarm();
/// Blocks of memory that are allocated now.
long mpfInjectLiveBlocks();
}
