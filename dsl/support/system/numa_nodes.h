// The parts of the machine with separate memory (NUMA nodes), as far as the process uses them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// Returns the numbers of a list in Linux notation, "0-3,8,10-11"; ascending, each once. Empty for
/// a text that is no such list, and for more than 2^20 numbers.
std::vector<unsigned> numbersOfList(std::string_view text);

/// Returns the nodes that have one of `cores`, ascending. `root` is the system's folder of nodes,
/// /sys/devices/system/node. Empty if it does not exist.
std::vector<unsigned> numaNodesOf(std::span<const unsigned> cores, const std::string &root);

/// Returns the nodes whose cores the process may run on (allowedCoreNumbers); asks the system once.
/// Thread-safe.
const std::vector<unsigned> &numaNodes();

} // namespace mpf
