// Checks the options of a host program, before they are used.
#pragma once

#include "runtime/api/session.h"

#include <string>

namespace mpf {

/// Throws Error(Usage) for other names than "auto", "cpu" and "gpu".
void checkDevice(const std::string &device);

/// Throws Error(Usage) for names of no method of placement
/// (runtime/schedule/placement/placement.h), and for methods that contradict the device.
void checkSchedule(const std::string &device, const std::string &schedule);

/// Throws Error(Usage) for negative numbers and NaN; infinity is valid.
void checkExpectedRuns(double runs);

/// Throws Error(Usage) for invalid options. Throws Error(BadInput) if the folder of overriding
/// kernels does not exist, or the folder for dumps cannot be created.
void checkSession(const SessionOptions &options);

} // namespace mpf
