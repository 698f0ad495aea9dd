#include "tools/mpfc/compile/session_options.h"

namespace mpf::driver {

namespace {

/// Entries of each operation that --verify computes a second time.
constexpr size_t kVerifySamples = 16;

} // namespace

SessionOptions sessionOptionsFor(const Options &options) {
  SessionOptions session;
  session.device = options.devices.devicesWord();
  session.schedule = placementMethodName(options.devices.spread);
  session.threads = options.threads;
  session.verifySamples = options.verify ? kVerifySamples : 0;
  session.profile = options.profile;
  session.resident = options.resident;
  session.expectedRuns = options.expectedRuns.value_or(session.expectedRuns);
  session.forbidCompiling = options.forbidCompiling;
  session.dumpKernels = options.dumpKernels;
  session.overrideKernels = options.overrideKernels;
  return session;
}

} // namespace mpf::driver
