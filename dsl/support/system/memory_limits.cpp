#include "dsl/support/system/memory_limits.h"

#include "dsl/support/counts.h"
#include "dsl/support/number_text.h"
#include "dsl/support/system/control_groups.h"
#include "dsl/support/system/system_text.h"

#include <algorithm>
#include <bit>
#include <sys/resource.h>
#include <unistd.h>

namespace mpf {

namespace {

constexpr const char *kProcessStatus = "/proc/self/status";

std::optional<uint64_t> resourceLimit(int resource) {
  rlimit limit{};
  if (getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0 ||
      limit.rlim_cur == RLIM_INFINITY)
    return std::nullopt;
  return limit.rlim_cur;
}

uint64_t without(uint64_t bytes, uint64_t used) { return bytes - std::min(bytes, used); }

std::optional<uint64_t> leftOf(std::optional<uint64_t> limit, const std::string &status,
                               const char *key) {
  if (!limit)
    return std::nullopt;
  return without(*limit, memoryLineBytes(status, key).value_or(0));
}

/// Returns the memory that may still be committed. In mode 2 all mappings of all processes stay
/// within a limit of the machine.
std::optional<uint64_t> leftToCommit(const SystemMemory &system) {
  if (!system.overcommit.starts_with('2'))
    return std::nullopt;
  const auto limit = memoryLineBytes(system.memInfo, "CommitLimit");
  if (!limit)
    return std::nullopt;
  const auto kilobytes = [](const std::string &text) {
    const auto number = parseUnsigned(std::string_view(text).substr(0, text.find('\n')));
    return number && *number < UINT64_MAX / 1024 ? *number * 1024 : 0;
  };
  const uint64_t used = memoryLineBytes(system.memInfo, "Committed_AS").value_or(0),
                 left = without(without(*limit, used),
                                system.isAdmin ? 0 : kilobytes(system.adminReserve));
  // The kernel keeps the reserve back, but at most a 32nd of the process's memory.
  return without(left, std::min(kilobytes(system.userReserve), left / 32));
}

void lower(uint64_t &bytes, std::string &source, std::optional<uint64_t> by, const char *from) {
  if (by && *by < bytes) {
    bytes = *by;
    source = from;
  }
}

} // namespace

SystemMemory SystemMemory::here() {
  SystemMemory system;
  system.machineBytes = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                        static_cast<uint64_t>(sysconf(_SC_PAGE_SIZE));
  system.memInfo = systemText("/proc/meminfo");
  system.overcommit = systemText("/proc/sys/vm/overcommit_memory");
  if (system.overcommit.starts_with('2')) {
    system.adminReserve = systemText("/proc/sys/vm/admin_reserve_kbytes");
    system.userReserve = systemText("/proc/sys/vm/user_reserve_kbytes");
    system.isAdmin = ::geteuid() == 0;
  }
  system.groupMembership = systemText("/proc/self/cgroup");
  system.groupsRoot = "/sys/fs/cgroup";
  system.addressLimit = resourceLimit(RLIMIT_AS);
  system.dataLimit = resourceLimit(RLIMIT_DATA);
  if (system.addressLimit || system.dataLimit)
    system.processStatus = systemText(kProcessStatus);
  return system;
}

MemoryLimits memoryLimits(const SystemMemory &system) {
  MemoryLimits limits;
  limits.availableBytes = system.machineBytes;
  limits.source = "memory of this machine";
  const auto available = [&limits](std::optional<uint64_t> bytes, const char *source) {
    lower(limits.availableBytes, limits.source, bytes, source);
  };
  available(memoryLineBytes(system.memInfo, "MemAvailable"), "available memory of this machine");
  available(leftOfControlGroups(system.groupMembership, system.groupsRoot),
            "what is left of the control group's memory");
  limits.swapBytes = std::min(
      memoryLineBytes(system.memInfo, "SwapFree").value_or(0),
      swapLeftOfControlGroups(system.groupMembership, system.groupsRoot).value_or(UINT64_MAX));
  const auto addresses = [&limits](std::optional<uint64_t> bytes, const char *source) {
    lower(limits.addressBytes, limits.addressSource, bytes, source);
  };
  addresses(leftOf(system.addressLimit, system.processStatus, "VmSize"),
            "what is left of the address space");
  addresses(leftOf(system.dataLimit, system.processStatus, "VmData"),
            "what is left of the limit of data");
  addresses(leftToCommit(system), "what this machine has left to commit");
  return limits;
}

uint64_t addressesLeft() {
  const std::optional<uint64_t> address = resourceLimit(RLIMIT_AS),
                                data = resourceLimit(RLIMIT_DATA);
  if (!address && !data)
    return UINT64_MAX;
  const std::string status = systemText(kProcessStatus);
  return std::min(leftOf(address, status, "VmSize").value_or(UINT64_MAX),
                  leftOf(data, status, "VmData").value_or(UINT64_MAX));
}

uint64_t helpersWithin(uint64_t wanted, uint64_t addressBytes) {
  return std::min(wanted, addressBytes / 8 / kHelperBytes);
}

uint64_t helperBytes(uint64_t wanted, uint64_t addressBytes) {
  return std::min(saturatingMul(wanted, kHelperBytes), addressBytes / 8);
}

std::optional<uint64_t> memoryLineBytes(std::string_view text, std::string_view key) {
  const std::string start = std::string(key) + ":";
  size_t at = text.find(start);
  while (at != 0 && at != text.npos && text[at - 1] != '\n')
    at = text.find(start, at + 1);
  if (at == text.npos)
    return std::nullopt;
  std::string_view rest = text.substr(at + start.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  const auto number = parseUnsigned(rest.substr(0, rest.find_first_not_of("0123456789")));
  return number && *number < UINT64_MAX / 1024 ? std::optional(*number * 1024) : std::nullopt;
}

uint64_t steadyBytes(uint64_t bytes) {
  if (bytes < 32)
    return bytes;
  const uint64_t step = std::bit_floor(bytes) / 16;
  return bytes / step * step;
}

} // namespace mpf
