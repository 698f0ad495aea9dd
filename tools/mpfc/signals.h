// What signals do to mpfc: one behaviour in every phase, documented in README.md.
#pragma once

namespace mpf::driver {

/// SIGINT, SIGTERM and SIGHUP end the process at once, by the signal, with one line on stderr; a
/// file that is being written is not there then, or as it was. Those that the parent ignores stay
/// ignored. A limit on files (SIGXFSZ) makes the write fail. Call once, before anything is done.
void installSignals();

} // namespace mpf::driver
