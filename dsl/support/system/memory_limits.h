// MEMORY LIMITS: how much this process may still take, as far as the system says. The one place
// that asks: the machine, control groups, RLIMIT_AS, RLIMIT_DATA, overcommit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mpf {

/// Beyond what the process has at the moment of asking. Grows with every limit that grows.
struct MemoryLimits {
  /// Pages that it may touch: the least of what the kernel can give without swapping and what is
  /// left of the control groups. Beyond it the kernel kills.
  uint64_t availableBytes = 0;
  std::string source;     ///< what that was taken from: "available memory of this machine"
  uint64_t swapBytes = 0; ///< free, beside availableBytes: runs are not planned into it
  /// Addresses that it may map, touched or not: the least of what is left of RLIMIT_AS and
  /// RLIMIT_DATA, and where the machine commits no more than it has, of that. Beyond it the system
  /// refuses. UINT64_MAX: no limit.
  uint64_t addressBytes = UINT64_MAX;
  std::string addressSource;
};

/// What memoryLimits() goes by. Texts are empty where the system does not say.
struct SystemMemory {
  uint64_t machineBytes = UINT64_MAX;
  std::string memInfo;         ///< /proc/meminfo
  std::string overcommit;      ///< /proc/sys/vm/overcommit_memory
  std::string groupMembership; ///< /proc/self/cgroup
  std::string groupsRoot;      ///< /sys/fs/cgroup
  std::string processStatus;   ///< /proc/self/status; asked for only where it matters
  std::optional<uint64_t> addressLimit, dataLimit; ///< RLIMIT_AS, RLIMIT_DATA; none: unlimited

  /// What holds for this process now. Where the system is not Linux: the memory of the machine.
  /// Thread-safe.
  static SystemMemory here();
};

MemoryLimits memoryLimits(const SystemMemory &system = SystemMemory::here());

/// As MemoryLimits::addressBytes of RLIMIT_AS and RLIMIT_DATA alone: UINT64_MAX, at the cost of two
/// system calls, where neither is set. Thread-safe.
uint64_t addressesLeft();

/// Threads beside the caller's that may be started for a moment, with stacks and allocator arenas
/// of the usual size (kHelperBytes each): `wanted`, or as many as an eighth of the addresses left
/// holds. Who predicts a process counts helperBytes().
inline constexpr uint64_t kHelperBytes = uint64_t{72} << 20;
uint64_t helpersWithin(uint64_t wanted, uint64_t addressBytes = addressesLeft());
uint64_t helperBytes(uint64_t wanted, uint64_t addressBytes);

/// The number of the line `key`, in bytes, from a text of lines "KEY: NUMBER kB" (/proc/meminfo).
/// None: there is no such line.
std::optional<uint64_t> memoryLineBytes(std::string_view text, std::string_view key);

/// Rounded down to a sixteenth of its size, so that two plans made one after the other have the
/// same bound though other programs come and go. Grows with `bytes`.
uint64_t steadyBytes(uint64_t bytes);

} // namespace mpf
