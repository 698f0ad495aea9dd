#include "tools/mpf-bench/cases/card_target.h"

#include <algorithm>

namespace mpf::bench {

namespace {

constexpr double kCopyShare = 7.0 / 8;

Target targetOfArch(const std::string &arch) {
  const std::vector<std::string> known = gpuTargetNames();
  return targetNamed(std::ranges::find(known, arch) != known.end() ? arch : kReferenceTarget);
}

} // namespace

Target targetOfCard(const CardRates &rates) {
  Target target = targetOfArch(rates.arch);
  const double before = target.smCount * target.clockGhz;
  target.smCount = rates.smCount != 0 ? rates.smCount : target.smCount;
  target.clockGhz = rates.clockGhz > 0 ? rates.clockGhz : target.clockGhz;
  const double growth = target.smCount * target.clockGhz / before;
  for (double *const rate : {&target.f32FlopsPerUs, &target.f64FlopsPerUs, &target.exp2PerUs,
                             &target.f64MatrixFlopsPerUs, &target.tf32MatrixFlopsPerUs})
    *rate *= growth;
  if (rates.memoryBytesPerUs > 0)
    target.copyBytesPerUs = kCopyShare * rates.memoryBytesPerUs;
  return target;
}

} // namespace mpf::bench
