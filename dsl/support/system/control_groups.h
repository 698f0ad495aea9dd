// The memory that the control groups of a process leave it, and their share of the cores.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mpf {

/// Returns the bytes that are left of the limit of the process's memory group, or of a group around
/// it if less is left there. Returns nothing if no group has a limit. The groups count cached pages
/// of files as used; here they are free, because the kernel frees them on demand.
///
/// `membership`: the text of /proc/self/cgroup, version 2 or 1. `root`: where the groups are
/// mounted, /sys/fs/cgroup. In a container the path of the process may not exist there; the root is
/// then its group.
std::optional<uint64_t> leftOfControlGroups(std::string_view membership, const std::string &root);

/// Returns the bytes of swap that the groups leave, found like leftOfControlGroups. Returns nothing
/// if no group limits it; the swap of the machine then counts.
std::optional<uint64_t> swapLeftOfControlGroups(std::string_view membership,
                                                const std::string &root);

/// Returns the number of cores whose time the groups let the process use, found likewise: a
/// container's share of the machine, which need not be whole. Returns nothing if no group limits
/// it.
std::optional<double> coresOfControlGroups(std::string_view membership, const std::string &root);

} // namespace mpf
