#include "tools/mpf-bench/papers/tree_drawing.h"

#include <map>
#include <optional>

namespace mpf::bench {

namespace {

/// Returns the first operation that reads each result; none for the root.
std::vector<std::optional<size_t>> readersOf(const Bundle &bundle) {
  std::vector<std::optional<size_t>> readers(bundle.operations.size());
  std::map<BufferId, size_t> writers; // the latest of each buffer
  for (size_t i = 0; i < bundle.operations.size(); ++i) {
    for (const BundleAccess &operand : bundle.operations[i].operands)
      if (const auto writer = writers.find(operand.buffer); writer != writers.end())
        if (!readers[writer->second])
          readers[writer->second] = i;
    writers[bundle.operations[i].result.buffer] = i;
  }
  return readers;
}

} // namespace

void drawTree(const Bundle &bundle, const std::vector<DeviceId> &greedy,
              const std::vector<DeviceId> &acceleration, PaperItem &item) {
  const std::vector<std::optional<size_t>> readers = readersOf(bundle);
  std::vector<size_t> depths(readers.size(), 0);
  for (size_t i = readers.size(); i-- > 0;) // readers come after writers
    if (readers[i])
      depths[i] = depths[*readers[i]] + 1;
  const auto isGpu = [](const std::vector<DeviceId> &devices, size_t i) {
    return devices[i] == DeviceId::gpu(0);
  };
  for (size_t i = 0; i < readers.size(); ++i) {
    const char *series = isGpu(greedy, i) && isGpu(acceleration, i) ? "GPU by both"
                         : isGpu(acceleration, i)                   ? "GPU by acceleration only"
                         : isGpu(greedy, i)                         ? "GPU by greedy only"
                                                                    : "CPU";
    item.dots.push_back({series, static_cast<double>(i), static_cast<double>(depths[i]),
                         bundle.operations[i].name});
    if (readers[i])
      item.links.emplace_back(i, *readers[i]);
  }
}

} // namespace mpf::bench
