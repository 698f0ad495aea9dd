// MEMORY LIMITS: how much more memory this process may take, as far as the system reports it. All
// code that needs to know asks here. The sources are the machine, control groups, RLIMIT_AS,
// RLIMIT_DATA and the kernel's limit on committed memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mpf {

/// The memory that the process may take in addition, from the call of memoryLimits() on.
struct MemoryLimits {
  /// Bytes of pages that it may touch: what the kernel can give without swapping, or what is left
  /// of the control groups if that is less. Beyond it the kernel may kill the process.
  uint64_t availableBytes = 0;
  std::string source; ///< the limit that decided: "available memory of this machine"
  /// Free swap that its control groups let it have, beside availableBytes; runs are not planned to
  /// use it.
  uint64_t swapBytes = 0;
  /// Bytes of addresses that it may map, touched or not: the least of what is left of RLIMIT_AS, of
  /// RLIMIT_DATA and, if the kernel limits committed memory, of that limit. Beyond it the system
  /// refuses memory. UINT64_MAX: no limit.
  uint64_t addressBytes = UINT64_MAX;
  std::string addressSource;
};

/// The texts of the system from which memoryLimits() computes. A text that the system does not have
/// is empty.
struct SystemMemory {
  uint64_t machineBytes = UINT64_MAX;
  std::string memInfo;    ///< /proc/meminfo
  std::string overcommit; ///< /proc/sys/vm/overcommit_memory
  /// /proc/sys/vm/admin_reserve_kbytes and user_reserve_kbytes: the parts of the limit on committed
  /// memory that the kernel keeps back.
  std::string adminReserve, userReserve;
  bool isAdmin = false;        ///< whether this process may use the first reserve
  std::string groupMembership; ///< /proc/self/cgroup
  std::string groupsRoot;      ///< /sys/fs/cgroup
  std::string processStatus;   ///< /proc/self/status; read only if a limit below is set
  std::optional<uint64_t> addressLimit, dataLimit; ///< RLIMIT_AS, RLIMIT_DATA; none: unlimited

  /// Returns the state of this process now. On systems other than Linux only machineBytes is known.
  /// Thread-safe.
  static SystemMemory here();
};

MemoryLimits memoryLimits(const SystemMemory &system = SystemMemory::here());

/// Returns MemoryLimits::addressBytes from RLIMIT_AS and RLIMIT_DATA alone. If neither is set, the
/// result is UINT64_MAX and takes two system calls. Thread-safe.
uint64_t addressesLeft();

/// The addresses that one thread takes for its stack and its arena of the allocator.
inline constexpr uint64_t kHelperBytes = uint64_t{72} << 20;
/// Returns how many threads may be started beside the caller's for a short time: `wanted`, or fewer
/// if those take more than an eighth of `addressBytes`.
uint64_t helpersWithin(uint64_t wanted, uint64_t addressBytes = addressesLeft());
/// Returns a bound on the addresses that these threads take, for predictions of a process's memory.
uint64_t helperBytes(uint64_t wanted, uint64_t addressBytes);

/// Returns the number in the line of `key`, in bytes, from a text of lines "KEY: NUMBER kB"
/// (/proc/meminfo). Returns nothing if there is no such line.
std::optional<uint64_t> memoryLineBytes(std::string_view text, std::string_view key);

/// Returns `bytes` rounded down to a multiple of a sixteenth of the power of two below it. So two
/// plans that are made one after the other usually have the same bound, although the free memory
/// changed a little. Does not decrease when `bytes` grows.
uint64_t steadyBytes(uint64_t bytes);

} // namespace mpf
