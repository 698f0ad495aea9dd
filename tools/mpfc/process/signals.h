// Signal handling of mpfc, equal in every phase and documented in CONVENTIONS.md.
#pragma once

namespace mpf::driver {

/// Installs the handlers. SIGINT, SIGTERM and SIGHUP end the process at once, by the signal, with
/// one line on stderr. A result file that is being written is then missing, or as it was before.
/// Signals that the parent process ignores stay ignored. SIGXFSZ (file size limit) makes the write
/// fail. Call it once, before anything else.
void installSignals();

/// Writes to stderr from a signal handler. A stderr that is closed or full gets nothing.
void tell(const char *text);

} // namespace mpf::driver
