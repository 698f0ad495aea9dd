// What predicted times depend on: the names of a machine's processor and GPUs, read from the system
// without a driver, which takes 0.2 s to start.
#pragma once

#include <string>

namespace mpf {

/// "AMD EPYC 9654, 16 threads, NVIDIA H200": the GPUs by their places on the bus. Those of which
/// NVIDIA's driver says nothing below `proc` have the numbers that the bus has of them below `sys`:
/// "NVIDIA device 0x2335". What the system does not say is left out. Thread-safe.
std::string machineIdentityFrom(const std::string &proc, const std::string &sys);

/// Of this machine, by /proc and /sys; read once.
const std::string &machineIdentity();

/// Whether a driver may find a GPU here: the driver that $MPF_LIBCUDA names is there, or, where it
/// names none, the system lists a GPU of NVIDIA's (read once).
bool driverMayFindGpu();

} // namespace mpf
