// How much memory the host has to give, as far as the system says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mpf {

struct HostMemory {
  uint64_t availableBytes = 0;
  std::string source; ///< what it was taken from: "available memory of this machine"
};

/// The least of what the kernel can give without swapping, what is left of the control group's
/// limit, and the limit of the address space. Linux; elsewhere the memory of the machine.
HostMemory hostMemory();

/// Of a text of lines "KEY: NUMBER kB" (/proc/meminfo), in bytes.
std::optional<uint64_t> memoryLineBytes(std::string_view text, std::string_view key);

/// Rounded down to a sixteenth of its size, so that two plans made one after the other have the
/// same bound though other programs come and go.
uint64_t steadyBytes(uint64_t bytes);

} // namespace mpf
