#include "runtime/session/check_session.h"

#include "dsl/support/check.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/schedule/launches/join_levels.h"

#include <filesystem>
#include <system_error>

namespace mpf {

void checkExpectedRuns(double runs) {
  if (!(runs >= 0))
    fail(ErrorKind::Usage, "expectedRuns is {}: expected a number that is not negative", runs);
}

DeviceRequest checkSession(const SessionOptions &options) {
  DeviceRequest devices = deviceRequestOf(options.device, options.schedule);
  checkExpectedRuns(options.expectedRuns);
  joinLevelsNamed(options.resident);
  checkThreads("threads", options.threads);
  std::error_code status;
  if (!options.overrideKernels.empty() &&
      !std::filesystem::is_directory(options.overrideKernels, status))
    fail(ErrorKind::BadInput, "{}: there is no such folder of kernels", options.overrideKernels);
  if (options.dumpKernels.empty())
    return devices;
  std::filesystem::create_directories(options.dumpKernels, status);
  if (!std::filesystem::is_directory(options.dumpKernels, status))
    fail(ErrorKind::BadInput, "{}: the folder for kernels cannot be made", options.dumpKernels);
  return devices;
}

} // namespace mpf
