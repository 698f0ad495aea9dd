#include "tests/unit/codegen/kernel/random_bucket.h"

#include "tests/unit/codegen/kernel/bucket_builder.h"

namespace mpf {

TableProgram randomBucket(std::mt19937 &random, const RandomBucketLimits &limits) {
  static constexpr uint32_t kExtents[] = {1, 2, 2, 2, 3, 4, 5, 7, 8, 11, 13, 16, 32, 67, 128, 500};
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  const size_t count = 1 + below(limits.variables);
  std::string order, kept;
  std::vector<uint32_t> extents;
  uint64_t addresses = 1;
  for (size_t v = 0; v < count; ++v) {
    uint32_t extent = kExtents[below(std::size(kExtents))];
    if (addresses * extent > limits.addresses)
      extent = 2;
    addresses *= extent;
    order += static_cast<char>('a' + v);
    extents.push_back(extent);
  }
  const size_t keptCount = below(count + 1);
  std::vector<std::string> operands(1 + below(limits.operands));
  for (size_t v = 0; v < count; ++v) {
    const bool anywhere = below(2) == 0; // reduced variables may be anywhere in the order
    if (anywhere ? below(count) < keptCount : v < keptCount)
      kept += order[v];
    bool used = false;
    for (std::string &operand : operands)
      if (below(2) == 0) {
        operand += order[v];
        used = true;
      }
    if (!used)
      operands[below(operands.size())] += order[v];
  }
  return bucket(order, extents, operands, kept);
}

} // namespace mpf
