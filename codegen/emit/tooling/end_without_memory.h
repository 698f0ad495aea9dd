// Ends a process that runs Clang when there is no memory. The libraries of Clang are compiled
// without exceptions: they would end the process without this message, or leave out findings.
#pragma once

namespace mpf {

/// Makes an allocation that the system refuses, anywhere in the process, end the process: it writes
/// `message` to stderr and exits with `exitCode`. `message` must stay valid. Call it once, in
/// main().
void endWithoutMemory(const char *message, int exitCode);

} // namespace mpf
