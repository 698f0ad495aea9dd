// The parts of the machine that have memory of their own (NUMA nodes), as far as the process uses
// them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// The numbers of a list as Linux writes it: "0-3,8,10-11"; ascending, each once. Empty for what is
/// no such list, and for more than 2^20 numbers.
std::vector<unsigned> numbersOfList(std::string_view text);

/// The nodes that have one of `cores`, ascending. `root`: where the system describes them,
/// /sys/devices/system/node. Empty where it does not.
std::vector<unsigned> numaNodesOf(std::span<const unsigned> cores, const std::string &root);

/// The nodes whose cores the process may run on (allowedCoreNumbers); asks the system once.
/// Thread-safe.
const std::vector<unsigned> &numaNodes();

} // namespace mpf
