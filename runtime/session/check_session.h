// What a host program's options must be, before anything is done with them.
#pragma once

#include "runtime/api/session.h"

#include <string>

namespace mpf {

/// Throws Error(Usage) for what is not "auto", "cpu" or "gpu".
void checkDevice(const std::string &device);

/// Throws Error(Usage) for what is no method of placement (runtime/schedule/placement/placement.h),
/// and for one that contradicts the device.
void checkSchedule(const std::string &device, const std::string &schedule);

/// Throws Error(Usage) for negative numbers and what is no number; infinity is one.
void checkExpectedRuns(double runs);

/// Throws Error(Usage) for options without a meaning, Error(BadInput) for a folder of overriding
/// kernels that is not there or one for dumps that cannot be made.
void checkSession(const SessionOptions &options);

} // namespace mpf
