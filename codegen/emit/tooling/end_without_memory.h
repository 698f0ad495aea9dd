// What a process that runs Clang does when there is no memory: the libraries of Clang are compiled
// without exceptions, and end the process in ways of their own, or with findings left out.
#pragma once

namespace mpf {

/// From now on an allocation that the system refuses, anywhere in the process, ends it: `message`
/// goes to stderr, and `exitCode` is its exit code. `message` must stay valid. Call it once, in
/// main().
void endWithoutMemory(const char *message, int exitCode);

} // namespace mpf
