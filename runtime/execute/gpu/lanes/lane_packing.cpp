#include "runtime/execute/gpu/lanes/lane_packing.h"

#include <algorithm>
#include <cstddef>
#include <mutex>

namespace mpf {

namespace {

/// Returns `rows` moved to a case; null if the program has no such rows.
template <class T> const T *behind(const T *rows, uint64_t place) {
  return rows == nullptr ? nullptr : rows + place;
}

} // namespace

LanePacking::LanePacking(const LaneLauncher &launcher, ThreadPool *pool)
    : program_(launcher.program()), plan_(launcher.plan()), kernel_(launcher.kernel()),
      type_(launcher.type()), pool_(pool) {}

/// Calls work(range, place of its first case) for ranges that together are `cases`: in the threads
/// of `pool`, or in this thread if it is null.
void LanePacking::forRanges(const CaseRange &cases, ThreadPool *pool,
                            const std::function<void(const CaseRange &, uint64_t place)> &work) {
  constexpr uint64_t kPlaces = 4096; // large enough that handing out ranges costs nothing
  const auto runRange = [&](size_t number, size_t) {
    const uint64_t place = number * kPlaces;
    const uint64_t room = std::min(kPlaces, cases.room - place);
    const uint64_t count = cases.count > place ? std::min<uint64_t>(room, cases.count - place) : 0;
    work({static_cast<uint32_t>(cases.first + place), static_cast<uint32_t>(count), room}, place);
  };
  const size_t ranges = (cases.room + kPlaces - 1) / kPlaces;
  if (pool != nullptr && ranges > 1)
    return pool->run(ranges, runRange);
  for (size_t number = 0; number < ranges; ++number)
    runRange(number, 0);
}

void LanePacking::pack(const CaseBlock &block, const CaseRange &cases, uint64_t pitch,
                       uint32_t *words, void *weights, ThreadPool *pool) const {
  forRanges(cases, pool, [&](const CaseRange &range, uint64_t place) {
    packLaneCodes(kernel_, block, range, pitch, words + place);
    if (program_.schema.weightCount() == 0)
      return;
    if (type_ == ElementType::F32)
      packLaneWeights(program_.schema, block, range, pitch, static_cast<float *>(weights) + place);
    else
      packLaneWeights(program_.schema, block, range, pitch, static_cast<double *>(weights) + place);
  });
}

void LanePacking::read(const Fetched &from, const CaseRange &cases, CaseAnswers &answers,
                       std::vector<uint32_t> &left, ThreadPool *pool) const {
  std::mutex mutex;
  const size_t before = left.size();
  const auto readAs = [&]<class T>(const T *results, const CaseRange &range, uint64_t place) {
    std::vector<uint32_t> leftOfRange;
    readLaneResults<T>(program_, plan_, kernel_,
                       {from.pitch, behind(results, place), behind(from.exponents, place),
                        behind(from.states, place)},
                       range, answers, leftOfRange);
    const std::lock_guard lock(mutex);
    left.insert(left.end(), leftOfRange.begin(), leftOfRange.end());
  };
  forRanges(cases, pool, [&](const CaseRange &range, uint64_t place) {
    if (type_ == ElementType::F32)
      readAs(static_cast<const float *>(from.results), range, place);
    else
      readAs(static_cast<const double *>(from.results), range, place);
  });
  std::sort(left.begin() + static_cast<std::ptrdiff_t>(before), left.end());
}

} // namespace mpf
