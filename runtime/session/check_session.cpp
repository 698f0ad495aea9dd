#include "runtime/session/check_session.h"

#include "dsl/support/check.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/schedule/launches/join_levels.h"
#include "runtime/schedule/placement/placement.h"

#include <filesystem>
#include <system_error>

namespace mpf {

void checkDevice(const std::string &device) {
  if (device != "cpu" && device != "gpu" && device != "auto")
    fail(ErrorKind::Usage, "unknown device '{}': auto, cpu or gpu", device);
}

void checkSchedule(const std::string &device, const std::string &schedule) {
  const PlacementMethod method = placementMethodNamed(schedule);
  if (device != "auto" && method != PlacementMethod::Auto && schedule != device)
    fail(ErrorKind::Usage,
         "schedule '{}' spreads operations over CPU and GPU, but device is '{}': leave it 'auto'",
         schedule, device);
}

void checkExpectedRuns(double runs) {
  if (!(runs >= 0))
    fail(ErrorKind::Usage, "expectedRuns is {}: expected a number that is not negative", runs);
}

void checkSession(const SessionOptions &options) {
  checkDevice(options.device);
  checkSchedule(options.device, options.schedule);
  checkExpectedRuns(options.expectedRuns);
  joinLevelsNamed(options.resident);
  checkThreads("threads", options.threads);
  std::error_code status;
  if (!options.overrideKernels.empty() &&
      !std::filesystem::is_directory(options.overrideKernels, status))
    fail(ErrorKind::BadInput, "{}: there is no such folder of kernels", options.overrideKernels);
  if (options.dumpKernels.empty())
    return;
  std::filesystem::create_directories(options.dumpKernels, status);
  if (!std::filesystem::is_directory(options.dumpKernels, status))
    fail(ErrorKind::BadInput, "{}: the folder for kernels cannot be made", options.dumpKernels);
}

} // namespace mpf
