// Points of injection: every call of a kind has a number. One number, or all from it on, is chosen
// to fail.
//
// The environment of a program that this library is preloaded into chooses the calls:
//
//   MPF_INJECT=KIND:NUMBER:HOW   HOW: an errno (ENOSPC), short, kill-before, kill-after
//   MPF_INJECT=KIND:NUMBER+:HOW  that call and all later ones
//   MPF_INJECT=KIND:NUMBER~:HOW  that call and all later ones of more than 4 KiB
//   MPF_INJECT=count             nothing fails
//   MPF_INJECT_IN=child          counts the calls of each forked process by itself, not its own
//   MPF_INJECT_COUNTS=FILE       at the end, appends "KIND CALLS", and for each call stack
//                                "site KIND NUMBER PLACE" with the number of its first call;
//                                equal places have equal numbers in every run
//   MPF_INJECT_FIRED=FILE        makes this file, with the call stack, when the point is reached
//
// Calls are counted from main() on. A program that links the library uses the functions at the end.
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

/// Counts one call and returns its fate. Async-signal-safe unless stacks are recorded.
Verdict arrive(Kind kind, unsigned long bytes = 0);
[[noreturn]] void killSelf();
/// Prepares a process that was just forked.
void enterChild();
void writeCounts();
/// Appends the call stack to MPF_INJECT_FIRED, if the point was reached.
void addStack();
void readEnvironment();

} // namespace inject

// Functions for a program that links this library. They act on the calling process.
extern "C" {
void mpfInjectArm(const char *kind, unsigned long number, char onwards, int error);
/// Starts to record the call stacks of one kind. mpfInjectDisarm() ends it.
void mpfInjectRecord(const char *kind);
struct MpfInjectedStack {
  unsigned long first, last; ///< numbers of its calls; 0 and 0 behind the last stack
};
/// Returns the calls of one of the stacks that were recorded, in order of their first calls.
MpfInjectedStack mpfInjectStack(unsigned index);
/// Ends the injection, so that nothing fails any more. Returns whether the point was reached.
bool mpfInjectDisarm();
/// Returns the number of blocks of memory that are allocated now.
long mpfInjectLiveBlocks();
}
