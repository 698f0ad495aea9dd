// Checks the options of a host program, before they are used.
#pragma once

#include "codegen/machine/device_request.h"
#include "runtime/api/session.h"

namespace mpf {

/// Throws Error(Usage) for negative numbers and NaN; infinity is valid.
void checkExpectedRuns(double runs);

/// Returns the devices that the options request. Throws Error(Usage) for invalid options. Throws
/// Error(BadInput) if the folder of overriding kernels does not exist, or the folder for dumps
/// cannot be created.
DeviceRequest checkSession(const SessionOptions &options);

} // namespace mpf
