// How much is left of the memory limits of the control groups that a process is in, and their share
// of the cores.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mpf {

/// The bytes that are left of the limit of the process's memory group, or of a group around it if
/// less is left there. Nothing when no group has a limit. The groups count cached pages of files as
/// used; here they are not, because the kernel frees them on demand.
///
/// `membership`: the text of /proc/self/cgroup, version 2 or 1. `root`: where the groups are
/// mounted, /sys/fs/cgroup. In a container the path of the process may not exist there; the root is
/// then its own group.
std::optional<uint64_t> leftOfControlGroups(std::string_view membership, const std::string &root);

/// In the same way, the bytes of swap that are left to the groups. Nothing when no group limits it;
/// the swap of the machine then counts.
std::optional<uint64_t> swapLeftOfControlGroups(std::string_view membership,
                                                const std::string &root);

/// In the same way, how many cores' time the groups let the process use: a container's share of the
/// machine, which need not be whole. Nothing when no group limits it.
std::optional<double> coresOfControlGroups(std::string_view membership, const std::string &root);

} // namespace mpf
