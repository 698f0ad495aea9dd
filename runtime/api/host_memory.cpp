#include "runtime/api/host_memory.h"

#include "dsl/support/number_text.h"

#include <algorithm>
#include <bit>
#include <fstream>
#include <iterator>
#include <sys/resource.h>
#include <unistd.h>

namespace mpf {

namespace {

std::string contentsOf(const char *path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A file that holds one number, or "max" for none.
std::optional<uint64_t> numberIn(const char *path) {
  const std::string text = contentsOf(path);
  return parseUnsigned(std::string_view(text).substr(0, text.find('\n')));
}

/// The number in the line "KEY NUMBER" of a file of such lines; 0 where there is none.
uint64_t numberIn(const char *path, const std::string &key) {
  const std::string text = "\n" + contentsOf(path), start = "\n" + key + " ";
  const size_t at = text.find(start);
  if (at == std::string::npos)
    return 0;
  const size_t from = at + start.size();
  return parseUnsigned(std::string_view(text).substr(from, text.find('\n', from) - from))
      .value_or(0);
}

/// The control group at the root, version 2 or version 1, as a container sees its own. Pages of
/// files count as used there, but the kernel gives them back when memory is asked for.
std::optional<uint64_t> leftOfGroup() {
  struct Group {
    const char *limit, *used, *statistics, *prefix;
  };
  constexpr Group kGroups[] = {{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current",
                                "/sys/fs/cgroup/memory.stat", ""},
                               {"/sys/fs/cgroup/memory/memory.limit_in_bytes",
                                "/sys/fs/cgroup/memory/memory.usage_in_bytes",
                                "/sys/fs/cgroup/memory/memory.stat", "total_"}};
  for (const Group &group : kGroups)
    if (const auto limit = numberIn(group.limit)) {
      const std::string prefix = group.prefix;
      const uint64_t used = numberIn(group.used).value_or(0);
      const uint64_t files = numberIn(group.statistics, prefix + "inactive_file") +
                             numberIn(group.statistics, prefix + "active_file");
      return *limit - std::min(*limit, used - std::min(used, files));
    }
  return std::nullopt;
}

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
  limit(leftOfGroup(), "what is left of the control group's memory");
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
