#include "runtime/api/host_memory.h"

#include "dsl/support/number_text.h"
#include "runtime/api/control_groups.h"

#include <algorithm>
#include <bit>
#include <sys/resource.h>
#include <unistd.h>

namespace mpf {

namespace {

std::optional<uint64_t> leftOfAddresses() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return std::nullopt;
  const std::string text = contentsOf("/proc/self/status");
  return limit.rlim_cur -
         std::min<uint64_t>(limit.rlim_cur, memoryLineBytes(text, "VmSize").value_or(0));
}

} // namespace

std::optional<uint64_t> memoryLineBytes(std::string_view text, std::string_view key) {
  const size_t at = text.find(std::string(key) + ":");
  if (at == std::string_view::npos)
    return std::nullopt;
  std::string_view rest = text.substr(at + key.size() + 1);
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  const auto number = parseUnsigned(rest.substr(0, rest.find_first_not_of("0123456789")));
  return number && *number < UINT64_MAX / 1024 ? std::optional(*number * 1024) : std::nullopt;
}

HostMemory hostMemory() {
  HostMemory memory{static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                        static_cast<uint64_t>(sysconf(_SC_PAGE_SIZE)),
                    "memory of this machine"};
  const auto limit = [&memory](std::optional<uint64_t> bytes, const char *source) {
    if (bytes && *bytes < memory.availableBytes)
      memory = {*bytes, source};
  };
  limit(memoryLineBytes(contentsOf("/proc/meminfo"), "MemAvailable"),
        "available memory of this machine");
  limit(leftOfControlGroups(contentsOf("/proc/self/cgroup"), "/sys/fs/cgroup"),
        "what is left of the control group's memory");
  limit(leftOfAddresses(), "what is left of the address space");
  return memory;
}

uint64_t steadyBytes(uint64_t bytes) {
  if (bytes < 32)
    return bytes;
  const uint64_t step = std::bit_floor(bytes) / 16;
  return bytes / step * step;
}

} // namespace mpf
