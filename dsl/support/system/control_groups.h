// What is left of the memory limits of the control groups that a process is in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mpf {

/// The least over the memory group of the process and all groups around it: each holds its members
/// to its limit. Pages of files count as used there, but the kernel gives them back when memory is
/// asked for. Nothing where no group has a limit.
/// `membership`: the text of /proc/self/cgroup, version 2 or 1. `root`: where the groups are
/// mounted, /sys/fs/cgroup. In a container the path of the process may not exist there: what it
/// sees as the root is its own group.
std::optional<uint64_t> leftOfControlGroups(std::string_view membership, const std::string &root);

} // namespace mpf
