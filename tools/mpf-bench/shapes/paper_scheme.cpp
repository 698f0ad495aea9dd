#include "tools/mpf-bench/shapes/paper_scheme.h"

#include <algorithm>

namespace mpf::bench {

namespace {

/// Returns factors of an extent, at most `most` if possible: the largest such divisors.
std::vector<uint32_t> factorsOf(uint32_t extent, uint32_t most) {
  std::vector<uint32_t> factors;
  while (extent > most) {
    uint32_t divisor = most;
    while (divisor > 1 && extent % divisor != 0)
      --divisor;
    if (divisor == 1)
      break;
    factors.push_back(divisor);
    extent /= divisor;
  }
  factors.push_back(extent);
  return factors;
}

/// Returns the greatest number of least significant digits whose kept ones fit a block's outputs.
uint32_t tagDigits(const DigitForm &form, const Target &target) {
  const uint64_t most = std::min<uint64_t>(512, target.maxThreadsPerBlock);
  uint64_t outputs = 1;
  uint32_t count = 0;
  for (size_t d = form.digits.size(); d-- > 0; ++count) {
    if (!form.digits[d].reduced)
      outputs *= form.digits[d].extent;
    if (outputs > most)
      break;
  }
  return count;
}

} // namespace

BucketShape withSmallVariables(const BucketShape &shape, uint32_t mostValues) {
  BucketShape small = shape;
  small.extents.clear();
  std::vector<Scope> partsOf;
  for (const uint32_t extent : shape.extents) {
    partsOf.emplace_back();
    for (const uint32_t factor : factorsOf(extent, mostValues)) {
      partsOf.back().push_back(static_cast<uint32_t>(small.extents.size()));
      small.extents.push_back(factor);
    }
  }
  const auto split = [&](Scope &scope) {
    Scope parts;
    for (const uint32_t variable : scope)
      parts.insert(parts.end(), partsOf[variable].begin(), partsOf[variable].end());
    scope = std::move(parts);
  };
  for (Scope &scope : small.operands)
    split(scope);
  split(small.result);
  return small;
}

KernelPlan buildPaperKernel(const BucketShape &shape, Semiring semiring, KernelOptions options) {
  const DigitForm form = digitFormOf(withSmallVariables(shape), semiring, false);
  options.tagDigits = tagDigits(form, options.target);
  std::optional<KernelPlan> best;
  for (const uint64_t pages : {1, 4, 16, 64}) {
    options.pagesPerBlock = pages;
    KernelPlan plan = buildKernel(form, options);
    if (!best || plan.header().predictedUs < best->header().predictedUs)
      best = std::move(plan);
  }
  return *std::move(best);
}

} // namespace mpf::bench
