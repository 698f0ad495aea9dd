// MACHINE IDENTITY: the names of a machine's processor and GPUs, on which predicted times depend.
// They are read from the system, because a driver takes 0.2 s to start.
#pragma once

#include <string>

namespace mpf {

/// Returns for example "AMD EPYC 9654, 16 threads, NVIDIA H200", with GPUs in the order of the bus.
/// Names of GPUs come from NVIDIA's driver, below `proc`. If it lists none, their numbers come from
/// the bus, below `sys`: "NVIDIA device 0x2335". Unknown GPUs are left out. Thread-safe.
std::string machineIdentityFrom(const std::string &proc, const std::string &sys);

/// Returns the identity of this machine, from /proc and /sys; they are read once.
const std::string &machineIdentity();

/// Whether a driver may find a GPU here. True if the driver that $MPF_LIBCUDA names exists. Without
/// this variable, true if the system lists a GPU of NVIDIA (read once).
bool driverMayFindGpu();

} // namespace mpf
