// --time-limit: ends the process, wherever it is, with the documented exit code.
#pragma once

namespace mpf::driver {

/// After `seconds` of wall-clock time one sentence goes to stderr and the process leaves with exit
/// code 4. Result files are renamed into place when complete, so none is left half written.
/// 0: no limit.
void limitTime(double seconds);

} // namespace mpf::driver
